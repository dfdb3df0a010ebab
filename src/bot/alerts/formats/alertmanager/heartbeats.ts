/** Alerts that always fire by design, to prove that the way to Slack works. */
export const HEARTBEATS = new Set(['Watchdog', 'DeadMansSwitch', 'InfoInhibitor']);
