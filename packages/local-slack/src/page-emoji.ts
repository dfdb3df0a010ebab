// The shortcodes that monitoring tools, bots and people in on-call channels use.
const EMOJI: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  '100': '💯',
  alarm_clock: '⏰',
  ambulance: '🚑',
  arrow_down: '⬇️',
  arrow_forward: '▶️',
  arrow_right: '➡️',
  arrow_up: '⬆️',
  arrows_counterclockwise: '🔄',
  bar_chart: '📊',
  bell: '🔔',
  black_circle: '⚫',
  black_right_pointing_double_triangle_with_vertical_bar: '⏭️',
  blue_circle: '🔵',
  boom: '💥',
  bug: '🐛',
  bulb: '💡',
  calendar: '📆',
  bomb: '💣',
  exclamation: '❗',
  hammer_and_wrench: '🛠️',
  heavy_exclamation_mark: '❗',
  ticket: '🎫',
  arrow_heading_up: '⤴️',
  chart_with_downwards_trend: '📉',
  chart_with_upwards_trend: '📈',
  clipboard: '📋',
  clock1: '🕐',
  computer: '💻',
  construction: '🚧',
  eyes: '👀',
  fire: '🔥',
  fire_engine: '🚒',
  gear: '⚙️',
  ghost: '👻',
  green_heart: '💚',
  grey_question: '❔',
  heart: '❤️',
  heavy_check_mark: '✔️',
  hole: '🕳️',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  key: '🔑',
  information_source: 'ℹ️',
  large_blue_circle: '🔵',
  large_green_circle: '🟢',
  large_orange_circle: '🟠',
  large_yellow_circle: '🟡',
  link: '🔗',
  lock: '🔒',
  mag: '🔍',
  mag_right: '🔎',
  memo: '📝',
  mute: '🔇',
  no_bell: '🔕',
  no_entry: '⛔',
  octagonal_sign: '🛑',
  ok_hand: '👌',
  open_mouth: '😮',
  package: '📦',
  page_facing_up: '📄',
  paperclip: '📎',
  pause_button: '⏸️',
  point_right: '👉',
  pray: '🙏',
  pushpin: '📌',
  question: '❓',
  raised_hand: '✋',
  raised_hands: '🙌',
  red_circle: '🔴',
  repeat: '🔁',
  robot_face: '🤖',
  rocket: '🚀',
  rotating_light: '🚨',
  shrug: '🤷',
  skull: '💀',
  slightly_smiling_face: '🙂',
  smile: '😄',
  snail: '🐌',
  sos: '🆘',
  sparkles: '✨',
  speech_balloon: '💬',
  stopwatch: '⏱️',
  tada: '🎉',
  thinking_face: '🤔',
  thumbsdown: '👎',
  thumbsup: '👍',
  warning: '⚠️',
  wastebasket: '🗑️',
  wave: '👋',
  white_check_mark: '✅',
  white_circle: '⚪',
  white_large_square: '⬜',
  wrench: '🔧',
  x: '❌',
  zap: '⚡',
  zzz: '💤',
};

/** The shortcodes that the page knows. */
export const SHORTCODE_NAMES: readonly string[] = Object.keys(EMOJI);

/** The emoji of a shortcode without its colons; `null` if it is none of ours. */
export function emojiOf(name: string): string | null {
  return Object.hasOwn(EMOJI, name) ? (EMOJI[name] ?? null) : null;
}

const VARIATION = '\ufe0f';

/** The built file with the picture of an emoji, named by its code point. */
export function emojiFile(emoji: string): string {
  return `emoji/${emoji.replace(VARIATION, '').codePointAt(0)?.toString(16)}.svg`;
}

// Code and links keep what is in them.
const LITERAL = /(```[\s\S]*?```|`[^`\n]*`|<[^<>\n]*>)/;
const SHORTCODES = new Map(
  Object.entries(EMOJI).map(([name, emoji]) => [emoji.replace(VARIATION, ''), `:${name}:`]),
);
const KNOWN = new RegExp(`(:?)(${[...SHORTCODES.keys()].join('|')})${VARIATION}?`, 'gu');
/** Text whose emoji are shortcodes, as far as `emojiOf` knows them. */
export function withShortcodes(text: string): string {
  const shortened = (part: string) =>
    part.replaceAll(KNOWN, (_whole, colon: string, emoji: string) => {
      const shortcode = SHORTCODES.get(emoji) ?? emoji;
      // A colon right before a shortcode would be read as part of it.
      return colon === '' ? shortcode : `${colon} ${shortcode}`;
    });
  return text
    .split(LITERAL)
    .map((part, index) => (index % 2 === 1 ? part : shortened(part)))
    .join('');
}
