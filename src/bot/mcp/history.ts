import { z } from 'zod';
import { issueNumber } from '../../lib/issue-number.ts';
import { count, ofOthers, type Tool, ToolError, tool } from '../../lib/mcp.ts';
import { displayName, oneLine } from '../../lib/text.ts';
import { causeOf } from '../issues/cause.ts';
import { type Ending, REMEMBERED_DAYS, type Remembered, recall, seenBefore } from '../issues/memory.ts';
import { seenLine, WAYS } from '../render/issues/memory.ts';
import { writeupOf } from '../slack/messages/writeup.ts';
import type { Issue } from '../store/issues.ts';
import { type Caller, readerOf } from './callers.ts';
import { brief, listed, type McpDeps, readable } from './found.ts';
import { Brief, briefOf, stated, WrittenNumber } from './reading.ts';

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
        'Earlier issues of the same alert or cause, and what ended them; then of the same service or words.',
      input: z.object({
        issue: WrittenNumber.optional(),
        words: z.string().max(200).optional(),
        limit: count(20, 5),
      }),
      output: z.object({ seen: z.string().nullable(), issues: z.array(Similar) }),
      async run({ issue, words, limit }, call) {
        if ((issue === undefined) === (words === undefined))
          throw new ToolError('Give issue or words, one of the two.');
        const found = issue === undefined ? null : await readable(issue, call, deps);
        const ours = found?.ours ?? null;
        const endings = ours === null ? [] : await endingsOf(ours, call, deps);
        const remembered = ours === null ? [] : await rememberedLike(ours, endings, limit, deps);
        const about = found === null ? null : briefOf(found);
        const search = words ?? about?.service ?? longestWord(about?.title ?? '');
        const { found: candidates } = await listed(stated({ search }), null, 50, call, deps);
        const known = new Set([found?.detail.uuid, ...remembered.map(({ uuid }) => uuid)]);
        const others = candidates
          .filter(({ summary }) => !known.has(summary.uuid))
          .map((one) => ({ one, score: scoreOf(brief(one), about) }))
          .sort((a, b) => b.score.points - a.score.points)
          .slice(0, Math.max(0, limit - remembered.length));
        const issues: Similar[] = [
          ...remembered.map(({ uuid: _, ...one }) => one),
          ...(await Promise.all(
            others.map(async ({ one, score }) => ({
              ...brief(one),
              why: score.why,
              rootCause: one.ours === null ? null : ((await causeOf(one.ours, deps.store)) ?? null),
              ended: null,
            })),
          )),
        ];
        const seen = seenLine(endings, REMEMBERED_DAYS);
        const lines = [...(seen === null ? [] : [seen]), ...issues.map(lineOf)];
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
  ];
}

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

function lineOf({ number, status, why, title, rootCause, ended }: Similar): string {
  const how = ended === null ? '' : `; ended ${ended}`;
  return `#${number} ${status} (${why}): ${title}${rootCause === null ? '' : ` – ${rootCause}`}${how}`;
}

function longestWord(title: string): string {
  const words = title.split(/[^\p{L}\p{N}_-]+/u);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function scoreOf(
  one: ReturnType<typeof brief>,
  about: ReturnType<typeof briefOf> | null,
): { points: number; why: string } {
  if (about !== null && one.title === about.title) return { points: 2, why: 'the same title' };
  if (about?.service != null && one.service === about.service) return { points: 1, why: 'the same service' };
  return { points: 0, why: 'the words' };
}
