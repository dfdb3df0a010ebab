import { allStrings } from './block-strings.ts';

/** Ids that a message may mention, since the program itself put them there. */
export interface Mentionable {
  users?: readonly string[];
  channels?: readonly string[];
}

const DATE =
  /^<!date\^\d{1,12}\^(?:\{time(?:_secs)?\} \{date_short_pretty\}\|\d{4}-\d\d-\d\d |\{time\}\||\{time_secs\}\|(?:\d{4}-\d\d-\d\d )?)\d\d:\d\d UTC>$/u;
const LINK = /^<https?:\/\/[^\s<>|@/?#]+([/?#][^\s<>|]*)?(\|[^<>|\n]+)?>$/iu;

/**
 * What in a message Slack could read as a mention, a command or a link that the program did not build, in
 * any surface; empty for a safe message.
 */
export function unsafeSpots(
  message: { text: string; blocks?: readonly object[] },
  may: Mentionable = {},
): string[] {
  const inBlocks = allStrings(message.blocks ?? []).flatMap(([path, text]) => {
    if (path.endsWith('mrkdwn:text')) return unsafeInMrkdwn(text, may);
    if (path.endsWith('markdown:text')) return unsafeInMarkdown(text);
    return /[<>]/u.test(text) ? [text] : [];
  });
  return [...unsafeInMrkdwn(message.text, may), ...inBlocks];
}

function unsafeInMrkdwn(text: string, may: Mentionable): string[] {
  const tokens = text.match(/<[^>]*>?/gu) ?? [];
  const left = text.replace(/<[^>]*>/gu, '').replace(/&(amp|lt|gt);/gu, '');
  return [...tokens.filter((token) => !isAllowed(token, may)), ...(/[<>&]/u.test(left) ? [left] : [])];
}

function isAllowed(token: string, may: Mentionable): boolean {
  const mentions = [
    ...(may.users ?? []).map((id) => `<@${id}>`),
    ...(may.channels ?? []).map((id) => `<#${id}>`),
  ];
  if (mentions.includes(token) || DATE.test(token)) return true;
  const [address, label = ''] = token.slice(1, -1).split('|');
  return LINK.test(token) && (label === address || !/:\/\/|www\./u.test(label));
}

function unsafeInMarkdown(text: string): string[] {
  const links = [...text.matchAll(/\]\((.{0,60})/gsu)].filter(
    ([, target]) => !/^https?:\/\//iu.test(target ?? ''),
  );
  const definitions = text.match(/^[\s>*+\-.\d)]*\[(?:\\.|[^[\]\\])*\]:/gmu) ?? [];
  return [...(/[<>]/u.test(text) ? [text] : []), ...links.map(([link]) => link), ...definitions];
}
