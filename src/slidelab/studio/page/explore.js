export function addPanel() { return {}; }
