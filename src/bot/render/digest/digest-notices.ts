import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** One was asked for. */
export function digestIsSent(): Rendered {
  return notice('📊 The digest is on its way to this channel.');
}

export function digestIsOff(): Rendered {
  return notice('This channel has no digest. `/gumshoe digest` schedules one.');
}

/** `/gumshoe digest` with words that it does not know; `nearest` is one of those that it does. */
export function usageDigest(nearest: string | null): Rendered {
  const meant = nearest === null ? '' : `Did you mean \`/gumshoe digest ${nearest}\`? `;
  return notice(
    `${meant}\`/gumshoe digest\` schedules the digest, \`/gumshoe digest now\` sends one, \`/gumshoe digest off\` turns it off.`,
  );
}

/** `/gumshoe hygiene` with words that are no channel. */
export function usageHygiene(): Rendered {
  return notice('`/gumshoe hygiene` is about this channel, `/gumshoe hygiene #another` about another one.');
}

/** Somebody asked about a channel that they may not read. */
export function notReadable(): Rendered {
  return notice('I can’t show that channel here: I am not in it, or you are not.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
