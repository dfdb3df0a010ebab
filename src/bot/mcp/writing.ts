import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Call, type Tool, ToolError, tool } from '../../lib/mcp.ts';
import { fileForPerson } from '../filing/on-request.ts';
import { requestForDraft } from '../filing/request.ts';
import { changeStatus, type StatusChange } from '../issues/change-status.ts';
import { planByRequest, readPlanRequest } from '../settings/plan-requests.ts';
import { issueNumber } from '../shared/issue-number.ts';
import { openDm } from '../slack/open-dm.ts';
import { type Caller, idOf, readerOf } from './callers.ts';
import { asked, type McpDeps, readable } from './found.ts';

const HOUR_MS = 60 * 60_000;
/** The same words of the same caller within this time are one issue: clients repeat a call that they got no answer to. */
const SAME_MS = 10 * 60_000;

const NUMBER_MS = 3_000;
const NUMBER_EVERY_MS = 100;

const CHANGES = {
  resolved: 'resolve',
  muted: 'mute',
  open: 'reopen',
  ready_to_fix: 'ready',
} as const satisfies Record<string, StatusChange>;

/** What changes something. */
export function writingTools(deps: McpDeps): Tool<Caller>[] {
  return [
    tool({
      name: 'file_issue',
      title: 'File an issue',
      description:
        'Files an issue and starts its investigation. The same again within ten minutes is the same issue.',
      writes: true,
      input: z.object({
        title: z.string().min(1).max(500),
        description: z.string().max(4_000).default(''),
        service: z.string().max(100).optional(),
        severity: z.enum(['low', 'medium', 'high']).default('medium'),
        environment: z.string().max(100).optional(),
        channel: z
          .string()
          .regex(/^[CG][A-Z0-9]{2,30}$/u)
          .optional()
          .describe('id, for the card'),
      }),
      output: z.object({
        filed: z.boolean(),
        number: z.string().nullable(),
        reference: z.string(),
        channel: z.string(),
      }),
      async run(input, call) {
        const channel = await placeFor(input.channel, call, deps);
        const now = deps.clock.now();
        const id = await issueIdFor(JSON.stringify([idOf(call.caller), input]), now, deps);
        const draft = {
          title: input.title,
          description: input.description || input.title,
          environment: input.environment ?? deps.defaultEnvironment,
          severity: input.severity,
          triggeredAt: null,
          context: { service: input.service ?? '' },
          tags: [],
          metadata: { source: 'mcp' },
        };
        const request = requestForDraft(draft, { issueId: id, channel, now });
        const refused = await fileForPerson({ id, channel, by: idOf(call.caller), request, now }, deps);
        if (refused !== null) {
          throw new ToolError(
            'perHour' in refused
              ? `Nothing was filed: the limit is ${refused.perHour} issues an hour. Try again in ${Math.ceil(refused.waitMs / 60_000)} minutes.`
              : 'Nothing was filed: the members of that private channel have to agree first (/gumshoe naming).',
          );
        }
        const reference = `gumshoe-${id}`;
        const number = await numberOf(id, call.signal, deps);
        const where = `The card is in ${channel}.`;
        return {
          data: { filed: true, number, reference, channel },
          text:
            number === null
              ? `Stored. The service has not given it a number yet: list_issues with search ${reference} finds it later. ${where}`
              : `Filed as #${number}. ${where}`,
        };
      },
    }),
    tool({
      name: 'plan_work',
      title: 'Plan work',
      description: 'Keeps alerts of planned work quiet until its end.',
      writes: true,
      input: z.object({
        scope: z.array(z.string().max(200)).describe('services, env:staging, cluster:eu'),
        minutes: z.number(),
        title: z.string().max(200).default(''),
        channel: z.string().max(30).describe('id'),
      }),
      output: z.object({ until: z.string() }),
      async run(input, { caller }) {
        const { channel } = input;
        const now = deps.clock.now();
        const asked = readPlanRequest(input, now);
        if (typeof asked === 'string') throw new ToolError(asked);
        const isRefused =
          caller.kind === 'person' && (await deps.people.maySet(caller.userId, channel, 'now')) !== null;
        if (isRefused || !(await deps.mayRead(readerOf(caller), { channel }, 'now')))
          throw new ToolError('You may not plan work there: name a channel whose settings you may change.');
        const places = await deps.store.transaction((tx) =>
          planByRequest(tx, asked, { by: idOf(caller), now }),
        );
        if (places.length === 0)
          throw new ToolError('That channel is not watched: run /gumshoe watch there.');
        const until = new Date(asked.endsNow ? now : asked.planned.until).toISOString();
        return { data: { until }, text: `Planned in ${channel} until ${until}.` };
      },
    }),
    tool({
      name: 'set_status',
      title: 'Set the status of an issue',
      description: 'Resolves, mutes, reopens an issue, or marks it ready to fix.',
      writes: true,
      input: z.object({
        issue: z.string().max(20),
        status: z.enum(['resolved', 'muted', 'open', 'ready_to_fix']),
        hours: z.number().min(1).max(2_160).default(24).describe('of a mute'),
      }),
      output: z.object({ number: z.string(), status: z.string() }),
      run: ({ issue, status, hours }, call) =>
        deps.inTurn(`issue ${issue}`, async () => {
          const { number, detail, ours } = await readable(issue, call, deps, 'now');
          if (ours === null)
            throw new ToolError('Gumshoe did not file this issue: set its status where it was filed.');
          if (ours.joinedInto !== null)
            throw new ToolError('This issue is attached to another one: set the status of that one.');
          const change = CHANGES[status];
          const until = deps.clock.now() + hours * HOUR_MS;
          const { caller } = call;
          const request = caller.kind === 'person' ? caller.signature : randomUUID();
          const wish = { who: idOf(caller), cause: `mcp:${request}` };
          const is = await asked(
            changeStatus({ ...ours, uuid: detail.uuid }, change, wish, { ...deps, until }),
          );
          return { data: { number: String(number), status: is }, text: `#${number} is ${is}.` };
        }),
    }),
  ];
}

/** The number of an issue that is being filed, waited for as long as a caller waits gladly; `null` where it takes longer. */
async function numberOf(id: string, signal: AbortSignal, { store, clock }: McpDeps): Promise<string | null> {
  for (let waited = 0; ; waited += NUMBER_EVERY_MS) {
    const issue = await store.issues.get(id);
    const number = issue === null ? null : issueNumber(issue);
    if (number !== null) return String(number);
    if (waited >= NUMBER_MS) return null;
    await clock.sleep(NUMBER_EVERY_MS, signal);
  }
}

/** Where the card of a new issue goes: a channel that its caller may read, or else a person's direct message. */
async function placeFor(
  channel: string | undefined,
  { caller }: Call<Caller>,
  deps: McpDeps,
): Promise<string> {
  if (channel !== undefined) {
    if (await deps.mayRead(readerOf(caller), { channel }, 'now')) return channel;
    throw new ToolError('You may not file there: name a channel that you are in; with a key, a public one.');
  }
  if (caller.kind === 'person') {
    const dm = await openDm(deps.client, caller.userId);
    if (dm !== null) return dm;
    throw new ToolError('Slack did not open a direct message with you: name a channel.');
  }
  for (const one of deps.alertChannels) if (await deps.mayRead({}, { channel: one }, 'now')) return one;
  throw new ToolError('Name a public channel for the card: none of ALERT_CHANNELS is one.');
}

async function issueIdFor(words: string, now: number, { store }: McpDeps): Promise<string> {
  const bucket = Math.floor(now / SAME_MS);
  const idAt = (n: number) => createHash('sha256').update(`${n} ${words}`).digest('hex').slice(0, 20);
  const before = await store.issues.get(idAt(bucket - 1));
  return before !== null && now - before.createdAt < SAME_MS ? before.id : idAt(bucket);
}
