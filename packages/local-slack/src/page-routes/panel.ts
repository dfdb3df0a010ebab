import type { z } from 'zod';
import { webhookAddresses } from '../incoming-webhooks.ts';
import { METHODS } from '../methods/index.ts';
import type { PageOutcome } from '../page-api.ts';
import { PageFaults, type PagePanel, type PageSection, SocketRequest } from '../page-panel.ts';
import { BLOCK_TYPES } from '../validate/blocks.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

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

const KNOWN_METHODS = new Set(METHODS.map(({ name }) => name));

/** `GET /stage`. */
export function pagePanel(context: WorkspaceContext): PagePanel {
  const { controlPanel, faults } = context;
  const sections = controlPanel?.sections() ?? [];
  return { sections, webhooks: webhookAddresses(context), faults: faults.now() };
}

/** A call of the panel by the end of its path, if there is one. */
export function panelCallOf(context: WorkspaceContext, name: string): PanelCall | undefined {
  const { faults, installed, controlPanel, endSockets } = context;
  if (name === 'socket') {
    return panelCall(SocketRequest, async ({ reason }) =>
      endSockets(reason) > 0 ? { ok: true } : refused('The app has no open Socket Mode connection.'),
    );
  }
  if (name === 'faults') {
    return panelCall(PageFaults, async (wanted) => {
      const method = wanted.methods.find((one) => !KNOWN_METHODS.has(one));
      if (method !== undefined) return refused(`methods: the local Slack has no method ${method}.`);
      const scope = wanted.withheldScopes.find((one) => !installed.includes(one));
      if (scope !== undefined) return refused(`The app’s manifest does not request the scope ${scope}.`);
      const type = wanted.refusedBlocks.find((one) => !BLOCK_TYPES.has(one));
      if (type !== undefined) return refused(`refusedBlocks: the local Slack has no block ${type}.`);
      faults.change(wanted);
      return { ok: true };
    });
  }
  const calls = controlPanel?.calls ?? {};
  return Object.hasOwn(calls, name) ? calls[name] : undefined;
}

function refused(error: string): PageOutcome {
  return { ok: false, error };
}

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
