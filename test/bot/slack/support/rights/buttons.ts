import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { digestValues, newIssueValues, settingsOf, settingsValues } from './modals.ts';
import { actionInModal, type Names, type Probe, pressed, SENDER_ID } from './probe.ts';

type Action = keyof typeof actionIds;

const issue =
  (choice = '', which: 'issue' | 'other' | 'failed' | 'muted' = 'issue') =>
  (names: Names) =>
    choice === '' ? names[which] : `${choice}:${names[which]}`;

const button = (name: Action, value: (names: Names) => string, more: Partial<Probe> = {}): Probe => ({
  what: name,
  payload: pressed(actionIds[name], value),
  ...more,
});

const chosen = (name: Action, value: (names: Names) => string, more: Partial<Probe> = {}): Probe => ({
  what: name,
  payload: pressed(actionIds[name], value, true),
  ...more,
});

const inWindow = (
  name: Action,
  value: string,
  window: Parameters<typeof actionInModal>[2],
  more: Partial<Probe> = {},
): Probe => ({ what: name, payload: actionInModal(actionIds[name], value, window), ...more });

const evidencePlace = {
  callback: 'sentence',
  remembers: (n: Names) => ({ owner: n.issue, version: 1, index: 0, channel: n.channel }),
};
const resultsPlace = {
  callback: 'sentence',
  remembers: (n: Names) => ({ issueId: n.issue, version: 1, page: 0, channel: n.channel }),
};
const newIssueWindow = {
  callback: 'issue:new',
  remembers: (n: Names) => ({ channel: n.channel, unfolded: false }),
  values: newIssueValues,
};
const digestWindow = {
  callback: 'digest:save',
  remembers: (n: Names) => ({ channel: n.channel, basedOn: 'off' }),
  values: () => digestValues,
};
const settingsWindow = {
  callback: 'settings:save',
  remembers: settingsOf,
  values: () => settingsValues,
};
const page = (n: Names) =>
  JSON.stringify({ command: '/issue', filter: { status: null, environment: null, search: n.uuid && null } });

/** By action; a button that does several things has several. */
export const buttonProbes: Record<Action, Probe[]> = {
  resolve: [button('resolve', issue())],
  mute: [button('mute', issue())],
  reopen: [button('reopen', issue('', 'muted'))],
  ask: [button('ask', issue('', 'other'))],
  retry: [button('retry', issue('', 'failed'))],
  seenBefore: [button('seenBefore', issue(), { answers: true })],
  writeup: [button('writeup', issue())],
  askOwner: [button('askOwner', issue(), { answers: true })],
  page: [button('page', issue(), { answers: true })],
  ticket: [button('ticket', issue(), { answers: true })],
  saidYes: [button('saidYes', issue(), { answers: true })],
  saidNearly: [button('saidNearly', issue(), { answers: true })],
  saidNo: [button('saidNo', issue(), { answers: true })],
  saidOther: [button('saidOther', issue(), { answers: true })],
  more: ['catchUp', 'notSame', 'attach', 'investigateAgain', 'delete'].map((choice) => ({
    ...chosen('more', issue(choice), choice === 'delete' ? { admins: true } : {}),
    what: `more: ${choice}`,
  })),
  investigateSystems: [button('investigateSystems', () => 'orders-db: the disk is full', { open: true })],
  attachTo: [button('attachTo', issue('', 'other'))],
  everything: [button('everything', issue('1'))],
  evidence: [button('evidence', issue('1'))],
  evidenceBack: [inWindow('evidenceBack', '0', evidencePlace)],
  evidenceOn: [inWindow('evidenceOn', '1', evidencePlace)],
  evidenceJump: [inWindow('evidenceJump', '1', evidencePlace)],
  rawJson: [inWindow('rawJson', '0', evidencePlace)],
  artifact: [button('artifact', (n) => `0:${n.question}`)],
  stopAnswer: [button('stopAnswer', (n) => n.question)],
  stopListening: [button('stopListening', (n) => n.question)],
  tryAgain: [button('tryAgain', (n) => n.failedQuestion)],
  answerLate: [button('answerLate', (n) => n.offer)],
  resultsBack: [inWindow('resultsBack', '0', resultsPlace)],
  resultsOn: [inWindow('resultsOn', '1', resultsPlace)],
  showVersion: [inWindow('showVersion', '1', resultsPlace)],
  tick: [button('tick', (n) => `1.${n.step}:${n.issue}`)],
  untick: [button('untick', (n) => `1.${n.done}:${n.issue}`)],
  askAboutStep: [button('askAboutStep', (n) => `1.${n.step}:${n.issue}`)],
  copyPrompt: [button('copyPrompt', (n) => `1.0:${n.issue}`)],
  homeIssue: [chosen('homeIssue', issue('resolve'))],
  homePrevious: [button('homePrevious', () => '0', { open: true })],
  homeNext: [button('homeNext', () => '1', { open: true })],
  homeNewIssue: [button('homeNewIssue', () => '', { open: true })],
  homePause: [button('homePause', () => '', { open: true, admins: true })],
  homeResume: [button('homeResume', () => '', { open: true, admins: true })],
  fileIt: [button('fileIt', (n) => `${n.channel}:${n.report}`)],
  fileAll: [button('fileAll', (n) => n.hold)],
  chooseHeld: [button('chooseHeld', (n) => n.hold)],
  dismissHeld: [button('dismissHeld', (n) => n.hold)],
  endPlan: [button('endPlan', (n) => n.plan)],
  openSettings: [button('openSettings', (n) => n.channel)],
  openNaming: [button('openNaming', (n) => n.channel)],
  typePatterns: [inWindow('typePatterns', '', settingsWindow, { quiet: true })],
  confirmSender: [inWindow('confirmSender', SENDER_ID, settingsWindow)],
  correctSender: [inWindow('correctSender', SENDER_ID, settingsWindow)],
  vote: [
    button('vote', (n) => `up:result:${n.issue}:1`),
    { ...button('vote', (n) => `up:answer:${n.question}`), what: 'vote: an answer' },
  ],
  voteUp: [button('voteUp', (n) => `up:result:${n.issue}:1`)],
  voteDown: [button('voteDown', (n) => `down:result:${n.issue}:1`)],
  sendDigestNow: [inWindow('sendDigestNow', '', digestWindow, { quiet: true })],
  previousIssues: [button('previousIssues', page)],
  nextIssues: [button('nextIssues', page)],
  moreContext: [inWindow('moreContext', '', newIssueWindow, { open: true, quiet: true })],
  chooseEnvironment: [inWindow('chooseEnvironment', '', newIssueWindow, { open: true, quiet: true })],
};
