import { date } from '../dates.ts';
import { channelMention, literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** Something in Slack that a person has to mend; moments in milliseconds. */
export interface TroubleView {
  of: { channel: string } | { scope: string };
  /** Slack's own name for why, e.g. `is_archived`. */
  reason: string;
  since: number;
  /** `null` while it is not. */
  mendedAt: number | null;
  botUserId: string;
}

/** Tells who can mend it what is wrong and what to do; from the moment it is mended, that it is. */
export function renderTrouble(view: TroubleView): Rendered {
  const what = 'channel' in view.of ? inChannel(view.of.channel, view) : withoutScope(view.of.scope);
  const [first, ...rest] =
    view.mendedAt === null
      ? [`⚠️ ${what.wrong}`, what.meanwhile, `*To mend it:* ${what.fix}`]
      : [`✅ Mended ${date(view.mendedAt)}: ${what.mended}`, `~${what.short}~ (since ${date(view.since)})`];
  const text = [first, ...rest].join('\n');
  return fitMessage({ text, blocks: [section(text)] });
}

interface Words {
  wrong: string;
  short: string;
  meanwhile: string;
  fix: string;
  mended: string;
}

function inChannel(id: string, { reason, botUserId }: TroubleView): Words {
  const channel = channelMention(id);
  const shared = {
    meanwhile: 'What I have to say there waits, and its issues go on being watched.',
    mended: `I can post in ${channel} again. What waited is sent, and what I missed there is read.`,
  };
  switch (reason) {
    case 'is_archived':
    case 'is_inactive':
      return {
        ...shared,
        wrong: `I cannot post in ${channel} any more: it is archived.`,
        short: 'It was archived.',
        fix: 'unarchive the channel. If it is meant to stay archived, nothing has to be done.',
      };
    case 'not_in_channel':
      return {
        ...shared,
        wrong: `I am not in ${channel}, so I can neither read nor post there.`,
        short: 'I was not in it.',
        fix: `write \`/invite\` ${userMention(botUserId)} there. If I am not meant to be there, nothing has to be done.`,
      };
    case 'channel_not_found':
      return {
        ...shared,
        wrong: `Slack does not know ${channel} (${literal(id)}) for me: it was deleted, or it is private and I was removed from it.`,
        short: 'Slack did not know it.',
        fix: `if it still exists, write \`/invite\` ${userMention(botUserId)} there. If it was deleted, nothing can be done.`,
      };
    default:
      return {
        ...shared,
        wrong: `Slack does not let me post in ${channel} (${literal(reason)}).`,
        short: `Posting was restricted (${literal(reason)}).`,
        fix: 'let me post there: in the channel’s settings, under posting permissions.',
      };
  }
}

function withoutScope(scope: string): Words {
  const name = `\`${literal(scope)}\``;
  return {
    wrong: `Slack refuses a call of mine: my app has not been granted the scope ${name}.`,
    short: `The scope ${name} was missing.`,
    meanwhile: 'What needs it waits; everything else goes on.',
    fix: 'paste `manifest.yml` at https://api.slack.com/apps → the app → App Manifest, and install the app again.',
    mended: `the scope ${name} is granted. What waited goes on.`,
  };
}
