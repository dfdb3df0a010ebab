import type { Feature } from '../../listening/feature.ts';
import { askOwner, more, mute, page, reopen, resolve, retry } from './actions.ts';
import { issue } from './command.ts';
import { deleteIssue } from './delete.ts';
import { seen, ticket, writeup } from './ending.ts';
import { nextIssues, previousIssues } from './list.ts';
import { chooseEnvironment, fileNewIssue, investigate, moreContext, newIssueShortcut } from './new-issue.ts';

export const issues: Feature = {
  commands: { investigate, issue },
  actions: {
    askOwner,
    chooseEnvironment,
    more,
    moreContext,
    mute,
    nextIssues,
    page,
    previousIssues,
    reopen,
    resolve,
    retry,
    seenBefore: seen,
    ticket,
    writeup,
  },
  views: { deleteIssue, newIssue: fileNewIssue },
  shortcuts: { newIssue: newIssueShortcut },
};
