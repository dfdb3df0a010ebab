import { date } from '../dates.ts';
import { channelMention, literal, userMention } from '../escape.ts';
import { notice } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** A problem in Slack that a person has to fix; times in milliseconds. */
export interface ProblemView {
  of: { channel: string } | { scope: string };
  /** Slack's error code, e.g. `is_archived`. */
  reason: string;
  since: number;
  /** `null` while it is not. */
  mendedAt: number | null;
  botUserId: string;
}

/** Says what is wrong and what to do; once it is fixed, says so. */
export function renderProblem(view: ProblemView): Rendered {
  const what = 'channel' in view.of ? inChannel(view.of.channel, view) : withoutScope(view.of.scope);
  const [first, ...rest] =
    view.mendedAt === null
      ? [`⚠️ ${what.wrong}`, what.meanwhile, `*Fix:* ${what.fix}`]
      : [`✅ Fixed ${date(view.mendedAt)}: ${what.mended}`, `~${what.short}~ (since ${date(view.since)})`];
  return notice([first, ...rest].join('\n'));
}

interface Words {
  wrong: string;
  short: string;
  meanwhile: string;
  fix: string;
  mended: string;
}

function inChannel(id: string, { reason, botUserId }: ProblemView): Words {
  const channel = channelMention(id);
  const shared = {
    meanwhile: 'My messages there are queued; its issues are still being tracked.',
    mended: `I can post in ${channel} again. Queued messages are being sent, and I am catching up on what I missed there.`,
  };
  switch (reason) {
    case 'no_consent':
      return {
        wrong: `I do not watch ${channel}: it is private, and my answers elsewhere could name its issues.`,
        short: 'Nobody has agreed that its issues may be named in answers elsewhere.',
        meanwhile: 'Alerts there are not filed.',
        fix: 'a member runs `/gumshoe watch` there and agrees to that. To keep its issues apart instead, set `ISSUE_SERVICE_PRIVATE_API_KEY`.',
        mended: `${channel} can be watched: its members agreed, or its issues are kept apart.`,
      };
    case 'is_archived':
    case 'is_inactive':
      return {
        ...shared,
        wrong: `I cannot post in ${channel} anymore: it is archived.`,
        short: 'It was archived.',
        fix: 'unarchive the channel. If it is meant to stay archived, no action is needed.',
      };
    case 'not_in_channel':
      return {
        ...shared,
        wrong: `I am not in ${channel}, so I cannot read or post there.`,
        short: 'I was not in it.',
        fix: `write \`/invite\` ${userMention(botUserId)} there. If I am not meant to be there, no action is needed.`,
      };
    case 'channel_not_found':
      return {
        ...shared,
        wrong: `Slack says ${channel} (${literal(id)}) does not exist: it was deleted, or it is private and I was removed from it.`,
        short: 'Slack could not find it.',
        fix: `if it still exists, write \`/invite\` ${userMention(botUserId)} there. If it was deleted, there is nothing to do.`,
      };
    default:
      return {
        ...shared,
        wrong: `Slack does not let me post in ${channel} (${literal(reason)}).`,
        short: `Posting was restricted (${literal(reason)}).`,
        fix: 'allow me to post: channel settings → posting permissions.',
      };
  }
}

function withoutScope(scope: string): Words {
  const name = `\`${literal(scope)}\``;
  return {
    wrong: `Slack rejects some of my calls: my app lacks the scope ${name}.`,
    short: `The scope ${name} was missing.`,
    meanwhile: 'Whatever needs it waits; everything else keeps working.',
    fix: 'paste `manifest.yml` at https://api.slack.com/apps → the app → App Manifest, then reinstall the app.',
    mended: `the scope ${name} is granted. Whatever was waiting resumes.`,
  };
}

/** A message of ours is missing or no longer updated, because its stored data is damaged. */
export function renderUnreadable(): Rendered {
  const text =
    '⚠️ I cannot read the data stored for a message here, so it is missing or no longer updated. ' +
    '`/issue list` shows the current issues. *Fix:* whoever operates me can run `npm run doctor` to see what is damaged.';
  return { text, blocks: [section(text)] };
}
