import type { viewIds } from '../../../../../src/bot/render/view-ids.ts';
import { stateOf } from '../../../../../src/bot/settings/change-settings.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { anAlert } from '../../../../support/an-alert.ts';
import { type Names, type Probe, SECRET, SENDER_ID, sent } from './probe.ts';

const option = (value: string) => ({ selected_option: { value } });
const value = (text: string | null) => ({ value: text });

/** The settings' fields with one that differs. */
export const settingsValues = {
  mode: { mode: option('suggest') },
  people: { people: { selected_options: [] } },
  include: { 'settings:patterns': value(null) },
  exclude: { 'settings:patterns': value(null) },
  minimumSeverity: { minimumSeverity: option('low') },
  environment: { environment: value(null) },
  defaultSeverity: { defaultSeverity: option('medium') },
  onRecovery: { onRecovery: option('note') },
  budgetIssues: { budgetIssues: value('10') },
  budgetMinutes: { budgetMinutes: value('10') },
  coolDownMinutes: { coolDownMinutes: value('30') },
  recoveryMinutes: { recoveryMinutes: value('2') },
  broadcast: { broadcast: { selected_options: [] } },
};

export function settingsOf({ channel }: Names) {
  const basedOn = stateOf({ watched: true, settings: ChannelSettings.parse({}) });
  return { channel, watched: true, basedOn };
}

export const digestValues = {
  days: { days: { selected_options: [{ value: '1' }] } },
  time: { time: { selected_time: '09:00' } },
};

const text = (typed: string) => ({ a: { type: 'plain_text_input', value: typed } });

export const newIssueValues = () => ({
  title: text('Checkout is slow'),
  description: text('Since lunch.'),
  environment: { a: option('env:production') },
  severity: { a: option('high') },
});

const investigateValues = {
  title: { value: value('Checkout is slow') },
  description: { value: value('Since lunch.') },
  environment: { value: value('production') },
  severity: { value: option('high') },
};

const about = ({ issue, channel }: Names) => ({ issueId: issue, channel });

/** By modal, as it is sent. */
export const modalProbes: Record<keyof typeof viewIds, Probe[]> = {
  investigateThis: [
    {
      what: 'investigateThis',
      payload: sent({
        callback: 'message:investigate',
        remembers: ({ channel }) => ({
          channel,
          ts: '77.000000',
          threadTs: null,
          sender: null,
          alert: anAlert({ title: SECRET, fingerprint: 'new' }),
        }),
        values: () => investigateValues,
      }),
    },
  ],
  settings: [
    {
      what: 'settings',
      payload: sent({ callback: 'settings:save', remembers: settingsOf, values: () => settingsValues }),
    },
  ],
  sender: [
    {
      what: 'sender',
      payload: sent({
        callback: 'sender:save',
        remembers: ({ channel }) => ({
          ...{ channel, id: SENDER_ID, upTo: '21.000000', states: [] },
          below: { id: 'V0', metadata: '' },
        }),
        values: () => ({
          'is:0:0': { is: option('trouble') },
          'objects:0:0': { objects: { selected_options: [] } },
        }),
      }),
    },
  ],
  unwatch: [
    { what: 'unwatch', payload: sent({ callback: 'settings:unwatch', remembers: ({ channel }) => channel }) },
  ],
  naming: [
    {
      what: 'naming',
      payload: sent({
        callback: 'settings:naming',
        remembers: ({ channel }) => ({ channel, next: 'settings' }),
      }),
    },
  ],
  chooseHeld: [
    {
      what: 'chooseHeld',
      payload: sent({
        callback: 'hold:chosen',
        remembers: ({ hold, channel }) => ({ hold, channel }),
        values: ({ held }) => ({ 'problems:0': { problems: { selected_options: [{ value: held }] } } }),
      }),
    },
  ],
  notSame: [
    {
      what: 'notSame',
      payload: sent({
        callback: 'issue:not-same',
        remembers: about,
        values: ({ channel, repeat }) => ({ repeat: { repeat: option(`${channel}:${repeat}`) } }),
      }),
    },
  ],
  attach: [
    {
      what: 'attach',
      payload: sent({
        callback: 'issue:attach',
        remembers: about,
        values: ({ otherNumber }) => ({ number: { number: value(otherNumber) } }),
      }),
    },
  ],
  digest: [
    {
      what: 'digest',
      payload: sent({
        callback: 'digest:save',
        remembers: ({ channel }) => ({ channel, basedOn: 'off' }),
        values: () => digestValues,
      }),
    },
  ],
  deleteIssue: [true, false].map((named) => ({
    what: named ? 'deleteIssue' : 'deleteIssue: as if it were filed elsewhere',
    admins: true as const,
    ...(named ? {} : { ofTheService: true as const }),
    payload: sent({
      callback: 'issue:delete',
      remembers: ({ uuid, issue, channel }) => ({ uuid, number: 12, issueId: named ? issue : null, channel }),
    }),
  })),
  newIssue: [
    {
      what: 'newIssue',
      payload: sent({
        callback: 'issue:new',
        remembers: ({ channel }) => ({ channel, unfolded: false }),
        values: newIssueValues,
      }),
    },
  ],
};
