import type { z } from 'zod';
import type { PageOutcome } from './page-api.ts';
import type { PageSection } from './page-panel.ts';

/**
 * What surrounds the local Slack, controlled from its page: sections with buttons, and the calls that the buttons make.
 * Implemented by whoever starts the workspace. A refusal is an outcome with a sentence for the person, never a rejection.
 */
export interface ControlPanel {
  /** The sections as they are now. */
  sections(): PageSection[];
  /** What `POST /page-api/stage/<name>` does; `panelCall` makes one. */
  calls: Readonly<Record<string, PanelCall>>;
  /** `listener` is called whenever the sections have changed. */
  onChange(listener: () => void): void;
}

/** Gets the body of the request as it came. */
export type PanelCall = (body: unknown) => Promise<PageOutcome>;

/** A call that explains in a sentence what is wrong with its body: a person may have typed it. */
export function panelCall<T>(schema: z.ZodType<T>, run: (input: T) => Promise<PageOutcome>): PanelCall {
  return async (body) => {
    const { data, error } = schema.safeParse(body, { error: wordsOf });
    if (!error) return run(data);
    const [issue] = error.issues;
    const where = issue?.path[0] === undefined ? 'The body' : String(issue.path[0]);
    return refused(`${where} ${issue?.message ?? 'is invalid'}.`);
  };
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'a JSON object',
  string: 'a string',
};

/** What is wrong, as the end of a sentence. */
function wordsOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return 'must not be empty';
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return 'is invalid';
  }
}

/** An outcome that says why not. */
export function refused(error: string): PageOutcome {
  return { ok: false, error };
}
