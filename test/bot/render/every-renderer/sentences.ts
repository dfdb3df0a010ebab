import fc from 'fast-check';
import {
  historyIsPrivate,
  noHistoryHere,
  renderChannelHistory,
  renderIssueHistory,
  usageAudit,
} from '../../../../src/bot/render/admin/audit.ts';
import * as usage from '../../../../src/bot/render/admin/usage.ts';
import {
  alreadyFiled,
  cannotReadMessage,
  messageOfOurs,
  slackIsBusy,
} from '../../../../src/bot/render/alerts/already-filed.ts';
import {
  cannotAttach,
  investigatedNow,
  nothingToSplit,
} from '../../../../src/bot/render/alerts/split-issue-notices.ts';
import {
  offerFiling,
  suggestFiling,
  suggestionFiled,
  suggestionOver,
} from '../../../../src/bot/render/alerts/suggestion.ts';
import * as asking from '../../../../src/bot/render/asking/asking-notices.ts';
import { nothingToVoteOn, thanksForVote } from '../../../../src/bot/render/asking/feedback.ts';
import { askHere } from '../../../../src/bot/render/asking/thread-notices.ts';
import {
  digestIsOff,
  digestIsSent,
  notReadable,
  usageDigest,
  usageHygiene,
} from '../../../../src/bot/render/digest/digest-modal.ts';
import { noEvidence } from '../../../../src/bot/render/evidence/evidence-modal.ts';
import * as issueSentences from '../../../../src/bot/render/issues/issue-sentences.ts';
import { memoryOfWhat, renderSeen } from '../../../../src/bot/render/issues/memory.ts';
import * as noted from '../../../../src/bot/render/issues/notes.ts';
import * as owner from '../../../../src/bot/render/issues/owners.ts';
import * as steering from '../../../../src/bot/render/issues/steering-notices.ts';
import * as ticket from '../../../../src/bot/render/issues/ticket.ts';
import * as notices from '../../../../src/bot/render/notices.ts';
import { recordKept, recordTaken, usageRecord } from '../../../../src/bot/render/record/record.ts';
import { noThreadYet, stepUnknown } from '../../../../src/bot/render/results/checklist.ts';
import { writeupComes, writeupTooEarly } from '../../../../src/bot/render/results/writeup.ts';
import * as trial from '../../../../src/bot/render/settings/announcements.ts';
import { isNamedElsewhere, needsConsent } from '../../../../src/bot/render/settings/naming.ts';
import * as plans from '../../../../src/bot/render/settings/plans.ts';
import { systemsAreWatched, usageSystems } from '../../../../src/bot/render/systems/systems.ts';
import { anyResults } from '../../../support/arbitrary-views.ts';
import * as some from './inputs.ts';
import { type Renderer, renderer } from './renderer.ts';

const { number, text, flag, maybe, command } = some;

const history = fc.record({
  lines: some.list(fc.record({ at: some.at, who: maybe(some.userId), what: text })),
  older: number,
});
const plan = fc.record({
  id: fc.uuid(),
  channel: fc.constant('C0HOME'),
  by: some.userId,
  scope: fc.array(text, { minLength: 1 }),
  from: some.at,
  until: some.at,
  title: text,
});
const place = fc.record({ channel: fc.constant('C0HOME'), ts: some.ts });
const verb = fc.constantFrom('list', 'show', 'results', 'resolve', 'mute', 'reopen', 'ready', 'delete');
const misunderstood: fc.Arbitrary<usage.Misunderstood> = fc.oneof(
  fc.record({ why: fc.constant('nothing') }),
  fc.record({ why: fc.constant('unknown'), typed: text, nearest: maybe(verb), number: maybe(number) }),
  fc.record({ why: fc.constant('no_number'), verb }),
  fc.record({ why: fc.constant('not_a_number'), typed: text, verb }),
  fc.record({ why: fc.constant('bad_number'), typed: text }),
  fc.record({ why: fc.constant('many_numbers'), verb, number }),
  fc.record({ why: fc.constant('two_verbs'), verbs: fc.tuple(verb, verb), number }),
  fc.record({ why: fc.constant('span'), typed: text, number }),
  fc.record({ why: fc.constant('extra'), typed: text, verb, number }),
  fc.record({
    why: fc.constant('too_long'),
    what: fc.constantFrom('search', 'environment', 'status'),
    max: number,
  }),
);

const note = fc.record({
  number,
  who: maybe(some.userId),
  text,
  at: some.at,
  editedAt: maybe(some.at),
});
const someTicket = fc.record({
  state: fc.constantFrom('wanted', 'made', 'failed', 'gone'),
  key: maybe(text),
  url: maybe(some.url),
  status: maybe(text),
  failure: maybe(text),
});
const ending = fc.record({
  number: maybe(number),
  title: text,
  url: maybe(some.url),
  cause: maybe(text),
  by: fc.constantFrom('itself', 'rollback', 'deploy', 'steps', 'person'),
  steps: some.list(fc.record({ name: text, who: some.userId })),
  notes: some.list(note),
  votes: fc.record({ up: number, down: number }),
  endedAt: some.at,
  tookMs: number,
});

/** What is said to one person, or in one sentence. */
export const sentences: Renderer[] = [
  renderer(noted.noteChanged, maybe(number), number, fc.constantFrom('add', 'edit', 'delete'), command),
  renderer(noted.notYourNote, number, number),
  renderer(noted.noteWanted, command, number, number),
  renderer(noted.renderNotes, number, some.list(note)),
  renderer(renderSeen, some.list(ending), some.list(ending), number),
  renderer(memoryOfWhat),
  renderer(ticket.noTracker),
  renderer(ticket.ticketComes, maybe(number), flag),
  renderer(ticket.ticketRefused, maybe(number), someTicket),
  renderer(ticket.ticketIsThere, maybe(number), someTicket),
  renderer(owner.ownerAsked, some.channel, flag),
  renderer(owner.ownerNotAsked, fc.constantFrom('unknown', 'private', 'early')),
  renderer(owner.pageAnswered, fc.constantFrom('new', 'before', 'unknown', 'over')),
  renderer(
    owner.renderPaged,
    flag,
    fc.record({ owner: text, tool: text, by: some.userId, failure: maybe(text) }),
  ),
  renderer(writeupComes, maybe(number), number),
  renderer(writeupTooEarly, maybe(number)),
  renderer(alreadyFiled, some.reference),
  renderer(cannotReadMessage),
  renderer(slackIsBusy, number),
  renderer(notices.keptForLater),
  renderer(notices.slackIsDown),
  renderer(notices.gaveUpWaiting, number),
  renderer(messageOfOurs),
  renderer(askHere, some.noticeIssue),
  renderer(renderIssueHistory, some.reference, history),
  renderer(renderChannelHistory, some.channel, history),
  renderer(noHistoryHere, number),
  renderer(historyIsPrivate, number),
  renderer(usageAudit),
  renderer(digestIsSent),
  renderer(digestIsOff),
  renderer(usageDigest, fc.constantFrom('now', 'off', null)),
  renderer(usageHygiene),
  renderer(notReadable),
  renderer(usageSystems),
  renderer(systemsAreWatched, fc.boolean()),
  renderer(
    issueSentences.statusIsNow,
    some.named,
    some.status,
    fc.record({
      mutedUntil: maybe(some.at),
      reopening: maybe(fc.constant('/issue reopen 12')),
      isFiring: fc.boolean(),
    }),
  ),
  renderer(issueSentences.statusWasSo, some.named, some.status),
  renderer(issueSentences.onlyInItsChannel, number),
  renderer(issueSentences.onlyForItsMembers, number),
  renderer(issueSentences.countsForAnother, number, maybe(number)),
  renderer(issueSentences.notFiledYet, number),
  renderer(
    issueSentences.noResults,
    some.named,
    fc.record({ version: maybe(number), latest: number, status: some.status }),
  ),
  renderer(issueSentences.onlyAdminsDelete),
  renderer(notices.rateLimited),
  renderer(
    notices.filedEnough,
    fc.record({ perHour: number, waitMs: fc.integer({ min: 1, max: 3_600_000 }) }),
  ),
  renderer(notices.notThere),
  renderer(notices.windowIsStale),
  renderer(notices.endedWithoutResults, some.noticeIssue),
  renderer(
    notices.becameSymptom,
    some.noticeIssue,
    fc.record({
      number: some.maybe(some.number),
      title: some.text,
      cause: some.maybe(some.text),
      url: some.maybe(some.url),
      resolvedAt: some.maybe(some.at),
    }),
  ),
  renderer(
    notices.parted,
    some.noticeIssue,
    fc.record({ number: some.maybe(some.number), url: some.maybe(some.url) }),
    fc.boolean(),
  ),
  renderer(
    notices.anotherCause,
    some.noticeIssue,
    fc.record({ was: some.text, now: some.text }),
    fc.record({ number: some.maybe(some.number), url: some.maybe(some.url) }),
  ),
  renderer(notices.investigationFailed, some.noticeIssue),
  renderer(
    notices.lookedAgain,
    some.noticeIssue,
    fc.record({ was: anyResults, now: anyResults, url: some.maybe(some.url) }),
  ),
  renderer(notices.saidAbove, some.number),
  renderer(notices.takesLong, some.noticeIssue),
  renderer(notices.unknownIssue, text),
  renderer(notices.issueUnknownHere),
  renderer(notices.messageUnknownHere),
  renderer(notices.cameTooLate),
  renderer(notices.nothingWaits),
  renderer(notices.notAllowed, fc.constantFrom('guest', 'external')),
  renderer(notices.notInChannel, some.channel, some.userId),
  renderer(
    notices.refusedThere,
    some.channel,
    fc.oneof(fc.constantFrom('is_archived', 'restricted_action'), text),
  ),
  renderer(notices.serviceFailure, text),
  renderer(
    notices.overtaken,
    fc.record({ who: some.userId, what: fc.constantFrom('resolved it', 'reopened it') }),
  ),
  renderer(notices.otherIssueWithNumber, fc.constantFrom('P1' as const, 'P12' as const)),
  renderer(asking.investigationGoesOn),
  renderer(asking.nothingToStop),
  renderer(asking.notAskedAgain),
  renderer(asking.answeredAlready),
  renderer(asking.listensNoMore),
  renderer(asking.calledSince),
  renderer(asking.questionUnknownHere),
  renderer(noEvidence),
  renderer(nothingToSplit),
  renderer(investigatedNow),
  renderer(cannotAttach, fc.constantFrom('unknown', 'itself', 'closed', 'private', 'attached'), number),
  renderer(steering.needsChannel),
  renderer(steering.inviteFirst, some.channel),
  renderer(steering.isArchived, some.channel),
  renderer(steering.lacksScopes, fc.constantFrom(['chat:write'], ['files:read', 'files:write'])),
  renderer(steering.maySetNot, fc.constantFrom('not_admin', 'not_member'), some.channel),
  renderer(steering.onlyAdmins),
  renderer(steering.notWatched, some.channel),
  renderer(isNamedElsewhere, some.channel, some.pause),
  renderer(needsConsent, some.channel),
  renderer(steering.pausedNow, number),
  renderer(steering.pausedAlready, some.pause),
  renderer(steering.resumedNow, fc.record({ alerts: number, channels: number })),
  renderer(steering.notPaused),
  renderer(
    steering.gumshoeHelp,
    command,
    fc.constant([{ usage: 'watch', does: 'files the alerts of this channel' }]),
    fc.option(some.setup),
  ),
  renderer(steering.unknownSubcommand, command, text, fc.constantFrom('watch', null)),
  renderer(usageRecord),
  renderer(recordKept),
  renderer(recordTaken),
  renderer(plans.renderPlanned, plan),
  renderer(plans.renderPlanEnded, fc.record({ title: text, fired: number, open: number })),
  renderer(plans.renderPlans, some.list(plan), some.list(fc.uuid())),
  renderer(
    plans.planRefused,
    fc.constantFrom('scope' as const, 'end' as const, 'long' as const, 'order' as const),
  ),
  renderer(plans.planSaved, flag),
  renderer(plans.planGone),
  renderer(trial.trialBegins, fc.integer({ min: 1, max: 90 })),
  renderer(trial.usageTrial),
  renderer(trial.noTrial),
  renderer(trial.trialFailed, text),
  renderer(trial.noDirectMessage),
  renderer(trial.watchedOnTrial, fc.constant(14)),
  renderer(trial.onTrialBefore),
  renderer(trial.usageWatch),
  renderer(stepUnknown),
  renderer(noThreadYet),
  renderer(offerFiling, place),
  renderer(suggestFiling, place),
  renderer(suggestionFiled, fc.record({ number: maybe(number), by: some.userId, counted: flag })),
  renderer(suggestionOver),
  renderer(usage.usageInvestigate, command, text),
  renderer(usage.unknownSeverity, command, text, text),
  renderer(usage.usageIssue, command, misunderstood),
  renderer(usage.usageAsk, command),
  renderer(usage.usageExplain, command),
  renderer(usage.usageMention),
  renderer(usage.usageDryRun, number),
  renderer(nothingToVoteOn),
  renderer(thanksForVote, fc.constantFrom(1, -1), fc.constantFrom('new', 'changed', 'same', 'overtaken')),
];
