import { get, search, which } from 'node-emoji';

/** Names of Slack's that the package does not have. */
const SLACK_NAMES: Readonly<Record<string, string>> = {
  black_right_pointing_double_triangle_with_vertical_bar: '⏭️',
  blue_circle: '🔵',
  collision: '💥',
  envelope: '✉️',
  face_with_rolling_eyes: '🙄',
  heavy_exclamation_mark: '❗',
  large_brown_circle: '🟤',
  large_brown_square: '🟫',
  large_green_circle: '🟢',
  large_green_square: '🟩',
  large_orange_circle: '🟠',
  large_orange_square: '🟧',
  large_purple_circle: '🟣',
  large_purple_square: '🟪',
  large_red_square: '🟥',
  large_yellow_circle: '🟡',
  large_yellow_square: '🟨',
  no_good: '🙅',
  octagonal_sign: '🛑',
  robot_face: '🤖',
  satellite_antenna: '📡',
  shrug: '🤷',
  spiral_calendar_pad: '🗓️',
  technologist: '🧑‍💻',
  thinking_face: '🤔',
  thumbsdown: '👎',
  thumbsup: '👍',
  unicorn_face: '🦄',
};

/** The shortcodes that the page knows, without their colons. */
export const SHORTCODE_NAMES: readonly string[] = [
  ...Object.keys(SLACK_NAMES),
  ...search('').map(({ name }) => name),
].sort();

/** The emoji of a shortcode without its colons; `null` if there is none of that name. */
export function emojiOf(name: string): string | null {
  return Object.hasOwn(SLACK_NAMES, name) ? (SLACK_NAMES[name] ?? null) : (get(name) ?? null);
}

const VARIATION = '\ufe0f';

/** The built file with the picture of an emoji, named by its code points. */
export function emojiFile(emoji: string): string {
  const points = [...emoji.replaceAll(VARIATION, '')].map((sign) => sign.codePointAt(0)?.toString(16));
  return `emoji/${points.map((point) => point?.padStart(4, '0')).join('-')}.svg`;
}

const NAMES = new Map(
  SHORTCODE_NAMES.map((name) => [(emojiOf(name) ?? '').replaceAll(VARIATION, ''), name] as const),
);

/** The shortcode of an emoji, as it is commonly called. */
function shortcodeOf(emoji: string): string | undefined {
  return which(emoji) ?? NAMES.get(emoji.replaceAll(VARIATION, ''));
}

// Code and links keep what is in them.
const LITERAL = /(```[\s\S]*?```|`[^`\n]*`|<[^<>\n]*>)/;
const EMOJI = /(:?)(\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)/gv;

/** Text whose emoji are shortcodes, as far as `emojiOf` knows them. */
export function withShortcodes(text: string): string {
  const shortened = (part: string) =>
    part.replaceAll(EMOJI, (whole, colon: string, emoji: string) => {
      const name = shortcodeOf(emoji);
      if (name === undefined) return whole;
      // A colon right before a shortcode would be read as part of it.
      return colon === '' ? `:${name}:` : `${colon} :${name}:`;
    });
  return text
    .split(LITERAL)
    .map((part, index) => (index % 2 === 1 ? part : shortened(part)))
    .join('');
}
