import type { KnownBlock } from '@slack/types';
import type { RootCause } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { channelMention, clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { link } from '../links.ts';
import { withoutPlaces } from '../places.ts';
import { context, type Rendered, section } from '../rendered.ts';
import type { VerdictView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { causeGraph } from './graph.ts';
import { hasRootCause, verdictBlocks } from './verdict.ts';

const MAX_CAUSE = 1_000;
const MAX_OVERVIEW = 400;
const MAX_NOTIFICATION = 300;
/** Far more than is shown, far less than would take long to process. */
const MAX_SOURCE = 5_000;

/** What a second channel's thread hears of an investigation's end: root cause, confidence, a short overview. */
export function renderVerdict(view: VerdictView): Rendered {
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  const name = `#${view.number}${view.version > 1 ? `, version ${view.version}` : ''}`;
  const blocks: KnownBlock[] = [...(view.simulated ? [context(SIMULATED)] : [])];
  if (view.results === null) {
    const how = view.failed ? 'failed.' : 'ended without results.';
    const text = `The investigation of ${name} ${how}`;
    return fitMessage({ text: `${prefix}${text}`, blocks: [...blocks, section(text)] });
  }
  const rootCause = sayable(view.results.rootCause, view);
  const found = hasRootCause(rootCause)
    ? `root cause: ${cutAtWord(oneLine(clean(rootCause.rootCauseSummary ?? '')), MAX_NOTIFICATION)}`
    : 'no root cause found';
  return fitMessage({
    text: `${prefix}${literal(`${name}: ${found}`)}`,
    blocks: [
      ...blocks,
      context(`Results of *${name}*`),
      ...verdictBlocks(rootCause, causeGraph(view.results)),
      ...(view.home === null ? [] : [context(everything(view.home))]),
    ],
  });
}

/** The overview tells of the alert as it was reported where the issue lives: if that is private, it is left out. */
function sayable(rootCause: RootCause | undefined, { home, unsaid }: VerdictView): RootCause {
  const said = (text: string | undefined, max: number) =>
    cutAtWord(withoutPlaces(clean((text ?? '').slice(0, MAX_SOURCE)), unsaid), max);
  return {
    rootCauseSummary: said(rootCause?.rootCauseSummary, MAX_CAUSE),
    ...(home === null ? {} : { incidentOverview: said(rootCause?.incidentOverview, MAX_OVERVIEW) }),
  };
}

function everything({ channel, url }: { channel: string; url: string | null }): string {
  const where = channelMention(channel);
  return url === null ? `Full results in ${where}` : `${link(url, 'Full results')} in ${where}`;
}
