import { emojiOf } from '../../src/page-emoji.ts';
import { Emoji } from './emoji.tsx';

const COLORS = ['#1f6f8b', '#7a4f9a', '#a3523b', '#2f7d4f', '#8a6d1d', '#3b5ba3', '#9a3f6c', '#4d6470'];

interface Props {
  name: string;
  /** CSS colour; where `null`, one that follows from the name. */
  color: string | null;
  emoji: string | null;
  size: 'small' | 'large';
}

/** A letter, or the sender's emoji where the page knows it, on a coloured square. */
export function Avatar({ name, color, emoji, size }: Props) {
  // People's own colours may be light, and the letter is white.
  const background = color === null ? colorOf(name) : `color-mix(in srgb, ${color} 70%, black)`;
  const bare = emoji?.replaceAll(':', '') ?? '';
  const isKnown = emojiOf(bare) !== null;
  return (
    <span className={`avatar ${size}`} style={{ background }} aria-hidden="true">
      {isKnown ? <Emoji name={bare} /> : ([...name][0]?.toUpperCase() ?? '?')}
    </span>
  );
}

function colorOf(name: string): string {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return COLORS[sum % COLORS.length] ?? '#4d6470';
}
