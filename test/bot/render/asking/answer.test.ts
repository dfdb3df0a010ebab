import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { renderAnswerParts, stopButton } from '../../../../src/bot/render/asking/answer.ts';
import { feedbackBlock } from '../../../../src/bot/render/asking/feedback.ts';
import { answerMarkdown } from '../../../../src/bot/render/markdown/split.ts';
import { actions, button, context, type Rendered, section } from '../../../../src/bot/render/rendered.ts';
import { anyAnswer } from '../../../support/arbitrary-views.ts';
import { runs } from '../../../support/property-runs.ts';
import { answerView } from '../../../support/views.ts';

const renderAnswer = (...[view]: Parameters<typeof renderAnswerParts>) => renderAnswerParts(view)[0];

function spoken(messages: readonly Rendered[]): string[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block) => (block.type === 'markdown' ? [block.text] : [])),
  );
}

const full = { type: 'markdown', text: 'The pool is full.' };
const feedback = feedbackBlock({ questionId: 'question-1' });
const toStopListening = button('Stop listening', actionIds.stopListening, 'question-1');
const stopListening = actions([toStopListening]);
const show = (at: number) => button('Show', `${actionIds.artifact}:${at}`, `${at}:question-1`);

const evidence = (number: number) =>
  actions([
    button(number === 1 ? 'Evidence' : `Evidence · ${number}`, `${actionIds.artifact}:0`, '0:question-1'),
  ]);

const metricNamed = (name: string) => ({
  type: 'metric',
  data: { name, dataPoints: [{ timeUnixNano: '1780000000000000000', asDouble: 1 }] },
});

describe('an answer', () => {
  it('is the agent’s Markdown, who asked, and what was found on the way', () => {
    const view = answerView({
      askedBy: 'U0ALICE',
      answer: 'The pool is **full** & `a -> b`, see [the runbook](https://r.example/a?x=1&y=2) and #12.',
      artifacts: [
        { id: 'a1', provider: 'datadog', data_type: 'metric', summary: 'pool_waiting rose to 35' },
        { provider: 'kubernetes', tool_name: 'get_events' },
        { id: 'a2' },
        {},
      ],
      issueLinks: { 12: 'https://acme.slack.com/archives/C1/p1?thread_ts=1.0&cid=C1' },
    });
    expect(renderAnswer(view)).toEqual({
      text: 'The pool is ∗∗full∗∗ &amp; `a -&gt; b`, see [the runbook](https://r.example/a?x=1&amp;y=2) and #12.',
      blocks: [
        context('Asked by <@U0ALICE>'),
        {
          type: 'markdown',
          text: 'The pool is **full** & `a -&gt; b`, see [the runbook](https://r.example/a?x=1&y=2) and [#12](https://acme.slack.com/archives/C1/p1?thread_ts=1.0&cid=C1).',
        },
        section('*Get events* · Kubernetes'),
        evidence(2),
        feedback,
        stopListening,
      ],
    });
  });

  it('shows a question that nobody else could see', () => {
    const [asked] = renderAnswer(answerView({ askedBy: 'U0ALICE', question: 'why <now>?' })).blocks;
    expect(asked).toEqual(context('<@U0ALICE> asked: why &lt;now&gt;?'));
  });

  it('shows the series that were asked for as charts, below its words', () => {
    const plain = renderAnswer(answerView());
    const metrics = ['a', 'b', 'c'].map(metricNamed);
    const { blocks, plainer } = renderAnswer(answerView({ metrics }));
    const types = blocks.map(({ type }) => type);
    const words = types.lastIndexOf('markdown');
    expect(types.slice(words, words + 3)).toEqual(['markdown', 'data_visualization', 'data_visualization']);
    expect(blocks.filter(({ type }) => type !== 'data_visualization')).toEqual(plain.blocks);
    expect(plainer).toEqual(plain.blocks);
  });

  it('says how to ask for the numbers of its charts again: on a page of their tool, else by the query', () => {
    const asked = { start: '2026-11-20T14:00:00Z', end: '2026-11-20T15:00:00Z', stepSeconds: 30 };
    const of = (name: string, more: object) => {
      const metric = metricNamed(name);
      return {
        ...metric,
        provider: 'prometheus',
        ...more,
        data: { ...metric.data, query: `sum(${name})`, asked },
      };
    };
    const page = 'https://prometheus.example.com/graph?g0.expr=a';
    const { blocks } = renderAnswer(answerView({ metrics: [of('a', { providerUrl: page }), of('b', {})] }));
    expect(blocks).toContainEqual(context(`↗ <${page}|a in Prometheus>`, `↗ b: \`sum(b)\``));
  });

  it('ends its messages at the same places with charts and without', () => {
    const long = answerView({ answer: 'The pool is full.\n\n'.repeat(900) });
    const metrics = [metricNamed('a')];
    const [plain, drawn] = [renderAnswerParts(long), renderAnswerParts({ ...long, metrics })];
    expect(plain.length).toBeGreaterThan(1);
    expect(spoken(drawn)).toEqual(spoken(plain));
    expect(drawn.map(({ blocks }) => blocks.some(({ type }) => type === 'data_visualization'))).toEqual(
      plain.map((_, i) => i === plain.length - 1),
    );
  });

  it('without words lists a find once, and the first eight, and says how the others are reached', () => {
    const artifacts = ['a', 'a', ...'bcdefghij'].map((id) => ({ id, summary: `the find ${id}` }));
    const { blocks } = renderAnswer(answerView({ artifacts, answer: '' }));
    expect(blocks.slice(1, -1)).toEqual([
      ...[0, 2, 3, 4, 5, 6, 7, 8].map((at) => ({
        ...section(`the find ${artifacts[at]?.id}`),
        accessory: show(at),
      })),
      context('… and 2 more findings: *Show* has all of them'),
    ]);
  });

  it('has one button for its finds beside its words', () => {
    const artifacts = ['a', 'b'].map((id) => ({ id, summary: `the find ${id}` }));
    const below = (some: typeof artifacts) =>
      renderAnswer(answerView({ artifacts: some, answer: 'I saw it.' })).blocks.slice(1, -2);
    expect([below(artifacts), below(artifacts.slice(1))]).toEqual([[evidence(2)], [evidence(1)]]);
  });

  it('is left alone where I no longer listen', () => {
    expect(renderAnswer(answerView({ listening: false })).blocks).toEqual([full, feedback]);
  });

  it('says so where there is none', () => {
    expect(renderAnswer(answerView({ answer: ' \n' })).blocks).toEqual([
      section('The agent gave no answer.'),
      stopListening,
    ]);
  });

  it('bears a note in small print, and that it is simulated', () => {
    const view = answerView({ note: 'This is a new conversation.', simulated: true });
    expect(renderAnswer(view)).toEqual({
      text: 'Simulated: not your systems. The pool is full.',
      blocks: [
        context('Simulated: not your systems'),
        full,
        context('This is a new conversation.'),
        feedback,
        stopListening,
      ],
    });
  });
});

describe('an answer that is under way', () => {
  it('has a sign while it grows, *Stop*, and no finds yet', () => {
    const growing = answerView({ state: 'growing', artifacts: [{ id: 'a', summary: 'x' }] });
    expect(renderAnswer(growing).blocks).toEqual([
      { type: 'markdown', text: 'The pool is full. ▍' },
      stopButton('question-1'),
    ]);
  });

  it('shows no half of a link', () => {
    const answer = 'See [the runbook](https://ru';
    const wordsOf = (state: 'growing' | 'stopped') => renderAnswer(answerView({ state, answer })).blocks[0];
    expect(wordsOf('growing')).toEqual({ type: 'markdown', text: 'See ▍' });
    expect(wordsOf('stopped')).toEqual({ type: 'markdown', text: 'See [the runbook]\u200b(https://ru' });
  });

  it.each([
    [0, '… thinking'],
    [4_999, '… thinking'],
    [5_000, '… thinking (5 s)'],
    [14_999, '… thinking (5 s)'],
    [29_000, '… thinking (25 s)'],
    [128_000, '… thinking (2 min 5 s)'],
  ])('says after %i ms that the agent is at work', (elapsedMs, words) => {
    expect(renderAnswer(answerView({ state: 'growing', answer: '', elapsedMs }))).toEqual({
      text: '… thinking',
      blocks: [context(words), stopButton('question-1')],
    });
  });

  it.each([
    [{ ahead: 2 }, '⏳ Queued: 2 questions in this thread are answered first.'],
    [{ ahead: 1 }, '⏳ Queued: 1 question in this thread is answered first.'],
    [{ elapsedMs: 1_000 }, '⏳ Waiting for a free slot: busy with other threads.'],
    [{ elapsedMs: 999 }, '… thinking'],
  ])('says what it waits for: %o', (waits, words) => {
    expect(renderAnswer(answerView({ state: 'queued', answer: '', ...waits })).blocks).toEqual([
      context(words),
      stopButton('question-1'),
    ]);
  });

  it.each([
    [0, 'Looking at <!here>,\n10:00 to 10:15 …', 'Looking at &lt;!here&gt;, 10:00 to 10:15 …'],
    [5_000, 'Looking at web …', 'Looking at web … (5 s)'],
  ])('shows after %i ms what the agent looks at', (elapsedMs, note, words) => {
    expect(renderAnswer(answerView({ state: 'growing', answer: '', elapsedMs, note })).blocks[0]).toEqual(
      context(words),
    );
  });

  it('keeps its former words while it waits to be asked again', () => {
    expect(renderAnswer(answerView({ state: 'queued', ahead: 1 })).blocks).toEqual([
      full,
      context('⏳ Queued: 1 question in this thread is answered first.'),
      stopButton('question-1'),
    ]);
  });

  it('cannot be stopped twice', () => {
    const stopping = { state: 'growing', stoppedBy: 'U0ALICE' } as const;
    expect(renderAnswer(answerView({ ...stopping, answer: '' })).blocks).toEqual([context('… stopping')]);
    expect(renderAnswer(answerView(stopping)).blocks).toEqual([
      { type: 'markdown', text: 'The pool is full. ▍' },
    ]);
  });
});

describe('an answer that ended before its last word', () => {
  const again = actions([button('Try again', actionIds.tryAgain, 'question-1'), toStopListening]);

  it('keeps what had arrived when it failed, and says why', () => {
    const view = answerView({ state: 'failed', note: 'The service took <too> long (request r1).' });
    expect(renderAnswer(view).blocks).toEqual([
      full,
      section('⚠️ The answer was cut off here. The service took &lt;too&gt; long (request r1).'),
      feedback,
      again,
    ]);
    const note = 'The answer was cut off: it took too long.';
    expect(renderAnswer({ ...view, note }).blocks[1]).toEqual(section(`⚠️ ${note}`));
    expect(renderAnswer({ ...view, note: null }).blocks[1]).toEqual(
      section('⚠️ The answer was cut off here.'),
    );
  });

  it('is one sentence where nothing had arrived', () => {
    const failed = answerView({ answer: '', state: 'failed', note: 'The service failed.' });
    expect(renderAnswer(failed)).toEqual({
      text: 'The service failed.',
      blocks: [section('⚠️ The service failed.'), again],
    });
    expect(renderAnswer({ ...failed, note: null }).blocks).toEqual([
      section('⚠️ I could not answer this.'),
      again,
    ]);
  });

  it('says who stopped it', () => {
    const stopped = answerView({ state: 'stopped', stoppedBy: 'U0BOB', listening: false });
    const tryAgain = actions([button('Try again', actionIds.tryAgain, 'question-1')]);
    expect(renderAnswer(stopped).blocks).toEqual([full, context('Stopped by <@U0BOB>.'), feedback, tryAgain]);
    expect(renderAnswer({ ...stopped, answer: '' })).toEqual({
      text: 'Stopped',
      blocks: [context('Stopped by <@U0BOB>.'), tryAgain],
    });
  });
});

describe('an answer that exceeds one message', () => {
  const answer = Array.from({ length: 120 }, (_, index) => `${index}: ${'word '.repeat(60).trim()}`).join(
    '\n',
  );

  it('goes on in further messages', () => {
    const messages = renderAnswerParts(answerView({ answer }));
    expect(messages.length).toBe(4);
    expect(spoken(messages).join('\n')).toBe(answer);
    expect(messages[0].blocks.at(-1)).toEqual(context('Continues below (1 of 4)'));
    expect(messages[3]?.blocks[0]).toEqual(context('The answer, continued (4 of 4)'));
    expect(messages.map(({ blocks }) => blocks.filter(({ type }) => type === 'actions').length)).toEqual([
      0, 0, 0, 1,
    ]);
    expect(messages[3]?.blocks.slice(-2)).toEqual([feedback, stopListening]);
  });

  it('shows only its beginning while it grows', () => {
    const messages = renderAnswerParts(answerView({ answer, state: 'growing' }));
    expect(messages.length).toBe(1);
    expect(spoken(messages)[0]?.endsWith(' ▍')).toBe(true);
    expect(messages[0].blocks.slice(1)).toEqual([
      context('… still writing; the rest follows when it is complete'),
      stopButton('question-1'),
    ]);
  });

  it('loses nothing, whatever it says, and begins in the first message', () => {
    fc.assert(
      fc.property(anyAnswer, (any) => {
        const messages = renderAnswerParts({ ...any, state: 'complete' });
        const whole = answerMarkdown(any.answer, any.issueLinks);
        expect(isWhole(spoken(messages), whole)).toBe(true);
        if (whole !== '') expect(spoken([messages[0]]).length).toBe(1);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([4_000, 10_761, 12_000, 40_000])('loses none of %i backticks in one line', (count) => {
    const line = '`'.repeat(count);
    expect(spoken(renderAnswerParts(answerView({ answer: line }))).join('')).toBe(line);
    const among = `Before.\n${line}\nAfter.`;
    expect(isWhole(spoken(renderAnswerParts(answerView({ answer: among }))), among)).toBe(true);
  });
});

/**
 * Whether these parts are all of a text, in its order: code that goes on in the next part is closed in one and opened
 * again in the other, all else is as it was but for the space between two parts.
 */
function isWhole(parts: readonly string[], whole: string): boolean {
  const text = bare(whole);
  let ends = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const lines = part.split('\n');
    const isOpened = index > 0 && FENCE.test(lines[0] ?? '');
    const isClosed = index < parts.length - 1 && lines.length > 1 && FENCE.test(lines.at(-1) ?? '');
    const readings = [lines, ...(isOpened ? [lines.slice(1)] : [])].flatMap((one) =>
      isClosed ? [one, one.slice(0, -1)] : [one],
    );
    const said = readings.map((one) => bare(one.join('\n')));
    ends = new Set(
      [...ends].flatMap((at) =>
        said.filter((words) => text.startsWith(words, at)).map((words) => at + words.length),
      ),
    );
  }
  return ends.has(text.length);
}

const FENCE = /^ {0,3}(?:`{3}|~{3})/u;

function bare(text: string): string {
  return text.replace(/\s/gu, '');
}
