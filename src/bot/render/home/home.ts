import type { ActionsBlock, Button, HomeView, KnownBlock, Overflow, SectionBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { programLines } from '../admin/status.ts';
import { date } from '../dates.ts';
import { bold, channelMention, clean } from '../escape.ts';
import { fitBlock } from '../fit.ts';
import { severityLine, short, value } from '../issues/card-lines.ts';
import { symptomsLine } from '../issues/incident.ts';
import { limits } from '../limits.ts';
import { link } from '../links.ts';
import { inReadersTime } from '../readers-time.ts';
import { actions, button, context, inSections, section, withoutCharts } from '../rendered.ts';
import { pausedWords } from '../settings/settings.ts';
import { setupBlocks } from '../setup/setup.ts';
import { count, SIMULATED, statusWords } from '../words.ts';
import type { HomeChannel, HomeGroup, HomeIssue, HomePageView } from './view.ts';

const divider: KnownBlock = { type: 'divider' };

const MAX_TITLE = 150;
const MAX_CHANNELS = 25;

const headings: Record<HomeGroup, string> = {
  failed: '⚠️ Could not be filed',
  ready: '🛠️ Ready to fix',
  unexplained: '🔎 No cause found',
  investigating: '🔍 Under investigation',
  muted: '🔕 Muted',
};

const choices = { resolve: 'Resolve', mute: 'Mute for 24 hours', reopen: 'Reopen' } as const;
export type HomeChoice = keyof typeof choices;

/** The app's Home (issue list, watched channels, for admins the program), as one person may see it. */
export function renderHome(view: HomePageView): HomeView {
  return fitHome([
    ...(view.simulated ? [context(SIMULATED)] : []),
    ...withoutCharts(view.note?.blocks ?? []),
    ...(view.paused ? [section(pausedWords(view.paused))] : []),
    ...(view.setup ? [...setupBlocks(view.setup), divider] : []),
    heading('Open issues'),
    context(countsLine(view.counts)),
    row('new', [button('New issue', actionIds.homeNewIssue, 'new', 'primary')]),
    ...issueBlocks(view.issues),
    ...pager(view),
    divider,
    heading('Watched channels'),
    ...channelBlocks(view.channels),
    ...programBlocks(view),
  ]);
}

/** The Home of somebody who may not use Gumshoe. */
export function refusedHome(sentence: string): HomeView {
  return fitHome([section(sentence)]);
}

/** A constant `block_id` keeps a block across refreshes, so that an open menu stays open. */
function row(name: string, buttons: Button[]): ActionsBlock {
  return { ...actions(buttons), block_id: `home:${name}` };
}

function heading(text: string): KnownBlock {
  return { type: 'header', text: { type: 'plain_text', text, emoji: true } };
}

function countsLine(counts: HomePageView['counts']): string {
  const parts = [
    ...(counts.failed > 0 ? [`⚠️ ${counts.failed} could not be filed`] : []),
    `🛠️ ${counts.ready} ready to fix`,
    ...(counts.unexplained > 0 ? [`🔎 ${counts.unexplained} without a cause`] : []),
    `🔍 ${counts.investigating} under investigation`,
    `🔕 ${counts.muted} muted`,
  ];
  return parts.join(' · ');
}

function issueBlocks(issues: readonly HomeIssue[]): KnownBlock[] {
  if (issues.length === 0) return [section('Nothing is open. 🎉')];
  return issues.flatMap((issue, index) => [
    ...(issues[index - 1]?.group === issue.group ? [] : [section(bold(headings[issue.group]))]),
    issueBlock(issue),
  ]);
}

function issueBlock(issue: HomeIssue): SectionBlock {
  const number = issue.number === null ? 'New' : `#${issue.number}`;
  const name = issue.url === null ? number : link(issue.url, number);
  const title = bold(cutAtWord(oneLine(clean(issue.title)), MAX_TITLE)) || 'Untitled issue';
  const facts = [
    severityLine(issue.severity, null),
    value(issue.environment),
    ...(issue.service === null ? [] : [value(issue.service)]),
    `${statusOf(issue)}since ${date(issue.statusSince)}`,
    ...(issue.mutedUntil === null ? [] : [`until ${date(issue.mutedUntil)}`]),
    place(issue.channel),
    ...(issue.gone ? ['🗑️ message deleted in Slack; use `/issue` to see it'] : []),
  ];
  const menu = menuOf(issue);
  const cause =
    issue.cause == null ? [] : [inReadersTime(`_Cause:_ ${value(issue.cause)}`, issue.statusSince)];
  const symptoms = symptomsLine(issue.symptoms ?? []);
  const lines = [`${name} ${title}`, ...cause, ...(symptoms === null ? [] : [symptoms]), facts.join(' · ')];
  const words = section(lines.join('\n'));
  return { ...words, ...(menu ? { accessory: menu, block_id: `issue:${issue.issueId}` } : {}) };
}

/** The heading already names the status. */
function statusOf({ group, status }: HomeIssue): string {
  const isNamed = group === 'investigating' ? status === 'investigating' : status !== 'not_investigated';
  return isNamed ? '' : `${statusWords(short(status))} `;
}

function place(channel: string): string {
  return channel.startsWith('D') ? 'your direct messages' : channelMention(channel);
}

function menuOf({ issueId, group }: HomeIssue): Overflow | null {
  const offered: Record<HomeGroup, HomeChoice[]> = {
    failed: [],
    ready: ['resolve', 'mute'],
    unexplained: ['resolve', 'mute'],
    investigating: ['resolve', 'mute'],
    muted: ['reopen', 'resolve'],
  };
  const options = offered[group]
    .map((choice) => ({
      text: { type: 'plain_text' as const, text: choices[choice], emoji: true },
      value: `${choice}:${issueId}`,
    }))
    .filter((option) => option.value.length <= limits.optionValue);
  return options.length === 0 ? null : { type: 'overflow', action_id: actionIds.homeIssue, options };
}

function pager({ page, pages }: HomePageView): KnownBlock[] {
  if (pages < 2) return [];
  return [
    row('pages', [
      ...(page > 0 ? [button('‹ Previous', actionIds.homePrevious, String(page - 1))] : []),
      ...(page < pages - 1 ? [button('Next ›', actionIds.homeNext, String(page + 1))] : []),
    ]),
    context(`Page ${page + 1} of ${pages}`),
  ];
}

function channelBlocks(channels: readonly HomeChannel[]): KnownBlock[] {
  if (channels.length === 0) {
    return [section('None yet. Run `/gumshoe watch` in a channel to have its alerts filed.')];
  }
  const more = channels.length - MAX_CHANNELS;
  return [
    ...inSections(channels.slice(0, MAX_CHANNELS).map(channelLine)),
    ...(more > 0 ? [context(`… and ${count(more, 'more channel')}`)] : []),
  ];
}

function channelLine({ id, lastAlertAt, held: waiting, catchingUp }: HomeChannel): string {
  const facts = [
    lastAlertAt === null ? 'no alert yet' : `last alert ${date(lastAlertAt)}`,
    ...(waiting > 0 ? [`⏸️ ${count(waiting, 'held alert')}, awaiting a decision`] : []),
    ...(catchingUp ? ['⏳ catching up on what was posted while I was down'] : []),
  ];
  return `• ${channelMention(id)}: ${facts.join(' · ')}`;
}

function programBlocks({ program, paused, degraded }: HomePageView): KnownBlock[] {
  const problems = inSections(degraded.map((sentence) => `⚠️ ${value(sentence)}`));
  if (program === null) return problems;
  const pause = {
    ...button('Pause filing', actionIds.homePause, 'pause', 'danger'),
    confirm: {
      title: { type: 'plain_text' as const, text: 'Pause filing in all channels?' },
      text: {
        type: 'plain_text' as const,
        text: 'Alerts are put on hold, and you decide about them when filing resumes.',
      },
      confirm: { type: 'plain_text' as const, text: 'Pause' },
      deny: { type: 'plain_text' as const, text: 'Keep filing' },
    },
  };
  const resume = button('Resume filing', actionIds.homeResume, 'resume', 'primary');
  return [
    divider,
    heading('For admins'),
    ...problems,
    ...inSections(programLines(program)),
    row('filing', [paused ? resume : pause]),
  ];
}

/** Brings a Home within Slack's limits, as `fitMessage` does a message; blocks too many are left off at the end. */
export function fitHome(blocks: readonly KnownBlock[]): HomeView {
  const fitted = blocks.flatMap(fitBlock);
  const kept = [...fitted];
  const note = () => context(`… shortened: ${fitted.length - kept.length} more parts`);
  if (fits(kept)) return { type: 'home', blocks: kept };
  while (kept.length > 0 && !fits([...kept, note()])) kept.pop();
  return { type: 'home', blocks: [...kept, note()] };
}

function fits(blocks: readonly KnownBlock[]): boolean {
  return (
    blocks.length <= limits.blocksPerView && Buffer.byteLength(JSON.stringify(blocks)) <= limits.viewBytes
  );
}
