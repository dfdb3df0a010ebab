import { type IssueNumber, parseIssueNumber } from '../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import {
  type AuditLine,
  type History,
  historyIsPrivate,
  noHistoryHere,
  renderChannelHistory,
  renderIssueHistory,
  usageAudit,
} from '../../../render/admin/audit.ts';
import { needsChannel } from '../../../render/issues/steering-notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import type { AuditEntry } from '../../../store/audit.ts';
import type { Issue } from '../../../store/issues.ts';
import type { Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { toolName } from '../../messages/card-view.ts';
import { issueReference } from '../issues/issue-reference.ts';
import { privateNamesake } from '../issues/verbs/find.ts';

const SHOWN = 50;
/** A Slack user id. Anything else in an audit entry means Gumshoe acted on its own. */
const PERSON = /^[UW][A-Z0-9]+$/u;

/** `/gumshoe audit 12`: an issue's history; without a number, who changed this channel's settings. */
export const audit: Subcommand = {
  example: 'audit 12',
  does: 'shows an issue’s history; without a number, changes to this channel’s settings',
  run: async ({ words, channel, respond }, deps) => {
    const number = parseIssueNumber(words.replace(/\.$/u, ''));
    if (number !== null) {
      return tellPerson(respond, await ofIssue(number, channel, deps), deps);
    }
    if (words !== '') return tellPerson(respond, usageAudit(), deps);
    if (channel.startsWith('D')) return tellPerson(respond, needsChannel(), deps);
    const { entries, older } = await deps.store.audit.ofChannel(channel, SHOWN);
    const history = { lines: entries.map(lineOf), older };
    await tellPerson(respond, renderChannelHistory(channel, history), deps);
  },
};

async function ofIssue(number: IssueNumber, channel: string, deps: ListenerDeps): Promise<Rendered> {
  const issue = await deps.store.issues.byNumber(number);
  if (!issue) return noHistoryHere(number, await privateNamesake(number, channel, deps));
  if (!(await mayBeShownIn(deps.store, issue.channel, channel))) {
    return historyIsPrivate(number, await privateNamesake(number, channel, deps));
  }
  const { entries, older } = await deps.store.audit.ofIssue(issue.id, SHOWN);
  return renderIssueHistory(await issueReference(issue, channel, deps), historyOf(issue, entries, older));
}

/** What people did to the issue, below the line about how it was filed. */
function historyOf(issue: Issue, entries: readonly AuditEntry[], older: number): History {
  const lines = entries.map(lineOf);
  const isSaid = older > 0 || entries.some(({ what }) => what.startsWith('filed it'));
  return { lines: isSaid ? lines : [beginning(issue), ...lines], older };
}

function beginning({ createdAt: at, requestedBy: who, source }: Issue): AuditLine {
  const tool = toolName(source);
  if (who !== null) return { at, who, what: 'filed it' };
  return {
    at,
    who: null,
    what: tool === null ? 'filed automatically' : `filed automatically from ${tool}’s alert`,
  };
}

function lineOf({ at, who, what }: AuditEntry): AuditLine {
  return PERSON.test(who) ? { at, who, what } : { at, who: null, what };
}
