import { z } from 'zod';
import { type Call, count, ofOthers, type Tool, ToolError, tool } from '../../lib/mcp.ts';
import { displayName, oneLine } from '../../lib/text.ts';
import { type Ending, REMEMBERED_DAYS, type Remembered, recall, seenBefore } from '../issues/memory.ts';
import { fateOf, recordOf } from '../record/record.ts';
import { seenLine, WAYS } from '../render/issues/memory.ts';
import { issueNumber } from '../shared/issue-number.ts';
import { writeupOf } from '../slack/messages/writeup.ts';
import type { Issue } from '../store/issues.ts';
import { type Caller, readerOf } from './callers.ts';
import { brief, issuesPage, type Listed, type McpDeps, readable } from './found.ts';
import { Brief, briefOf, causeOfListed, WrittenNumber } from './reading.ts';

const Similar = Brief.extend({
  why: z.string(),
  rootCause: z.string().nullable(),
  ended: z.string().nullable(),
});
type Similar = z.input<typeof Similar>;

/** What came before an issue, and what remains of it. */
export function historyTools(deps: McpDeps): Tool<Caller>[] {
  return [
    tool({
      name: 'find_similar',
      title: 'Find similar issues',
      description:
        'Earlier issues of the same alert or cause, and what ended them; then of the same service, or with the same words in title or cause.',
      input: z.object({
        issue: WrittenNumber.optional(),
        words: z.string().max(200).optional(),
        limit: count(20, 5),
      }),
      output: z.object({ seen: z.string().nullable(), issues: z.array(Similar) }),
      async run({ issue, words, limit }, call) {
        if ((issue === undefined) === (words === undefined))
          throw new ToolError('Give either issue or words.');
        const found = issue === undefined ? null : await readable(issue, call, deps);
        const ours = found?.ours ?? null;
        const endings = ours === null ? [] : await endingsOf(ours, call, deps);
        const remembered = ours === null ? [] : await rememberedLike(ours, endings, limit, deps);
        const about = found === null ? null : await briefOf(found, deps);
        const wanted = wordsIn(words ?? `${about?.service ?? ''} ${about?.title ?? ''}`);
        const known = new Set([found?.detail.uuid, ...remembered.map(({ uuid }) => uuid)]);
        const candidates = (await candidatesFor(wanted, call, deps)).filter(
          ({ summary }) => !known.has(summary.uuid),
        );
        const scored = await Promise.all(
          candidates.map(async (one) => {
            const { rootCause } = await causeOfListed(one, deps);
            const told = await brief(one, deps);
            return { told, rootCause, score: scoreOf({ ...told, rootCause }, about, wanted) };
          }),
        );
        const others = scored
          .filter(({ score }) => score.points > 0)
          .sort((a, b) => b.score.points - a.score.points)
          .slice(0, Math.max(0, limit - remembered.length));
        const issues: Similar[] = [
          ...remembered.map(({ uuid: _, ...one }) => one),
          ...others.map(({ told, rootCause, score }) => ({
            ...told,
            why: score.why,
            rootCause,
            ended: null,
          })),
        ];
        const seen = seenLine(endings, REMEMBERED_DAYS);
        const lines = [...(seen === null ? [] : [seen]), ...issues.map(similarLine)];
        return {
          data: { seen, issues },
          text: lines.length === 0 ? 'Nothing similar.' : ofOthers(lines.join('\n')),
        };
      },
    }),
    tool({
      name: 'get_writeup',
      title: 'Get the write-up',
      description: 'A blameless write-up in Markdown, for all issues of one cause.',
      input: z.object({ issue: WrittenNumber }),
      output: z.object({ number: z.string(), markdown: z.string() }),
      async run({ issue }, call) {
        const { number, ours } = await readable(issue, call, deps);
        if (ours === null) throw new ToolError('Gumshoe did not file this issue, so it has no record of it.');
        const { text } = await writeupOf(ours, readerOf(call.caller), deps);
        return { data: { number: String(number), markdown: text }, text: ofOthers(text) };
      },
    }),
    tool({
      name: 'get_record',
      title: 'Get the record',
      description: 'How often verdicts were right, by confidence.',
      input: z.object({ days: count(365, 90) }),
      output: z.object({
        record: z.record(z.string(), z.record(z.string(), z.number())),
        wrong: z.array(z.string()),
      }),
      async run({ days }, { caller }) {
        const channels: string[] = [];
        for (const { channel } of await deps.store.channels.watched())
          if (await deps.mayRead(readerOf(caller), { channel })) channels.push(channel);
        const since = deps.clock.now() - days * DAY_MS;
        const verdicts = channels.length === 0 ? [] : await deps.store.verdicts.inChannels(channels, since);
        const lines = recordOf(verdicts);
        const wrong = verdicts
          .filter((one) => fateOf(one).fate === 'wrong')
          .map((one) => String(issueNumber(one)));
        const record = Object.fromEntries(lines.map(({ confidence, fates }) => [confidence, { ...fates }]));
        const text = [
          ...lines.map(
            ({ confidence, fates: { right, nearly, wrong: misses, unknown } }) =>
              `${confidence}: ${right} right, ${nearly} nearly, ${misses} wrong, ${unknown} unknown`,
          ),
          ...(wrong.length === 0 ? [] : [`Wrong: ${wrong.map((issue) => `#${issue}`).join(', ')}`]),
        ].join('\n');
        return { data: { record, wrong }, text: text === '' ? 'No verdicts yet.' : ofOthers(text) };
      },
    }),
  ];
}

const DAY_MS = 24 * 3_600_000;

function endingsOf(ours: Issue, { caller }: { caller: Caller }, deps: McpDeps) {
  return seenBefore(ours, deps.clock.now(), deps.store, (other) => deps.mayRead(readerOf(caller), other));
}

async function rememberedLike(
  ours: Issue,
  endings: readonly Ending[],
  limit: number,
  { store }: McpDeps,
): Promise<(Similar & { uuid: string | null })[]> {
  const remembered = await recall(endings.slice(0, limit), store);
  const all = await Promise.all(
    remembered.map(async ({ issueId, cause, by, tookMs, steps, notes, votes }) => {
      const issue = await store.issues.get(issueId);
      if (issue === null) return [];
      return [
        {
          uuid: issue.uuid,
          number: String(issueNumber(issue)),
          title: displayName(issue),
          status: issue.status,
          severity: issue.raisedSeverity ?? issue.severity,
          environment: issue.environment,
          service: issue.service,
          triggeredAt: new Date(issue.createdAt).toISOString(),
          why:
            issue.identity !== null && issue.identity === ours.identity ? 'the same alert' : 'the same cause',
          rootCause: cause,
          ended: endedIn({ by, tookMs, steps, notes, votes }),
        },
      ];
    }),
  );
  return all.flat();
}

function endedIn({
  by,
  tookMs,
  steps,
  notes,
  votes,
}: Pick<Remembered, 'by' | 'tookMs' | 'steps' | 'notes' | 'votes'>): string {
  return [
    `after ${Math.round(tookMs / 60_000)} min ${WAYS[by]}`,
    ...steps.map(({ name }) => `did: ${name}`),
    ...notes.map(({ text }) => `note: ${oneLine(text).slice(0, 500)}`),
    ...(votes.up + votes.down === 0 ? [] : [`votes on its result: ${votes.up} up, ${votes.down} down`]),
  ].join('; ');
}

function similarLine({ number, status, why, title, rootCause, ended }: Similar): string {
  const how = ended === null ? '' : `; ended ${ended}`;
  return `#${number} ${status} (${why}): ${title}${rootCause === null ? '' : ` – ${rootCause}`}${how}`;
}

/** A word names something: it has a letter, and is not one of the short ones that every sentence has. */
const WORD = /(?=\S*\p{L})[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu;
const SHORTEST_WORD = 3;
const MOST_SEARCHES = 4;
const MOST_CANDIDATES = 50;

function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(WORD) ?? [];
  return new Set(words.filter((word) => word.length >= SHORTEST_WORD));
}

/**
 * Issues that may be similar: the newest, whose causes are compared too, and those whose title or description the service
 * finds by the longest words.
 */
async function candidatesFor(
  words: ReadonlySet<string>,
  call: Call<Caller>,
  deps: McpDeps,
): Promise<Listed[]> {
  const searches = [...words].sort((a, b) => b.length - a.length).slice(0, MOST_SEARCHES);
  const pages = await Promise.all([
    issuesPage({}, null, MOST_CANDIDATES, call, deps),
    ...searches.map((search) => issuesPage({ search }, null, MOST_CANDIDATES, call, deps)),
  ]);
  const all = pages.flatMap(({ found }) => found);
  return [...new Map(all.map((one) => [one.summary.uuid, one])).values()];
}

/** The same title before the same service, and that before words; by words, the more of them the better. */
function scoreOf(
  one: z.input<typeof Brief> & { rootCause: string | null },
  about: z.input<typeof Brief> | null,
  wanted: ReadonlySet<string>,
): { points: number; why: string } {
  if (about !== null && one.title === about.title) return { points: 3, why: 'the same title' };
  if (about?.service != null && one.service === about.service) return { points: 2, why: 'the same service' };
  const own = wordsIn(`${one.title} ${one.service ?? ''} ${one.rootCause ?? ''}`);
  const shared = [...wanted].filter((word) => own.has(word));
  return { points: shared.length / Math.max(1, wanted.size), why: `the words ${shared.join(', ')}` };
}
