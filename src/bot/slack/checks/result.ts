import { classifySlackError, terminalSlackError } from '../errors.ts';

/** What one check of the installation found. */
export interface CheckResult {
  /** What was looked at: `Slack token`, `channel C0123ABCD`, … */
  name: string;
  ok: boolean;
  detail: string;
  /** What the operator should do; `null` if nothing is wrong. */
  fix: string | null;
  /** What else was found, a line each. */
  notes?: readonly string[];
}

export function passed(name: string, detail: string): CheckResult {
  return { name, ok: true, detail, fix: null };
}

export function failed(name: string, detail: string, fix: string): CheckResult {
  return { name, ok: false, detail, fix };
}

/** A failed call of the Web API as the result of a check: what happened, and what to do about it. */
export function slackFailure(name: string, error: unknown, variable: string): CheckResult {
  const failure = classifySlackError(error);
  switch (failure.kind) {
    case 'unreachable':
    case 'ambiguous':
      return failed(
        name,
        `cannot reach Slack (${failure.error})`,
        'check the network, HTTPS_PROXY and SLACK_API_URL',
      );
    case 'rate_limited':
      return failed(
        name,
        `rate-limited by Slack for ${Math.ceil(failure.retryAfterMs / 1000)} seconds`,
        'wait, and try again',
      );
    case 'refused':
    case 'token_refused':
      return failed(
        name,
        `Slack answered ${failure.error}`,
        terminalSlackError(error, variable) ??
          `look up ${failure.error} at https://docs.slack.dev/reference/methods`,
      );
  }
}
