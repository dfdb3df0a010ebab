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

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
