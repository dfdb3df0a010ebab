/** What one check of the installation found. */
export interface CheckResult {
  /** What was looked at: `Slack token`, `channel C0123ABCD`, … */
  name: string;
  ok: boolean;
  detail: string;
  /** What the operator should do; `null` where nothing is wrong. */
  fix: string | null;
}

export function passed(name: string, detail: string): CheckResult {
  return { name, ok: true, detail, fix: null };
}

export function failed(name: string, detail: string, fix: string): CheckResult {
  return { name, ok: false, detail, fix };
}
