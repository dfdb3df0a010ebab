import { NO_FAULTS } from '../../../src/faults.ts';
import type { PageEvent } from '../../../src/page-api.ts';
import type { PageButton, PagePanel, PageSection } from '../../../src/page-panel.ts';

/** Where nobody adds to the panel: only Slack's faults can be switched. */
export const emptyPanel: PagePanel = { sections: [], webhooks: [], faults: NO_FAULTS };

const play = { label: 'Play', call: 'play', busy: 'Playing…', done: 'Started.' };
const scene = (name: string, title: string, text: string) => ({
  title,
  text,
  button: { ...play, name: `Play ${title}`, values: { scenario: name } },
});

const scenes: PageSection = {
  id: 'scenes',
  short: 'Play',
  title: 'Run a scenario',
  about: 'Plays a sequence of events.',
  list: {
    label: 'Scenarios',
    whenEmpty: '',
    items: [
      scene('bad-deploy', 'Bad deploy', 'checkout-api fails after a deploy.'),
      scene('storm', 'A storm of 100', 'A hundred alerts at once in #alerts.'),
    ],
  },
};

const post = (label: string, how: string): PageButton => ({
  label,
  call: 'alert',
  values: { how },
  busy: 'Posting…',
  done: 'Posted: {tool} in {channel}.',
});

const alerts: PageSection = {
  id: 'alerts',
  short: 'Alerts',
  title: 'Alerts',
  about: 'Posts what a monitoring tool would.',
  fields: [
    {
      id: 'tool',
      label: 'Tool',
      options: ['Alertmanager', 'Datadog', 'Dynatrace', 'Elastic', 'Grafana', 'Sentry', 'Zabbix'].map(
        (name) => ({
          id: name.toLowerCase(),
          name,
          ...(name === 'Sentry' && { disables: { Recover: 'Sentry does not report recoveries.' } }),
        }),
      ),
    },
    { id: 'channel', label: 'Channel', options: 'channels' },
  ],
  buttons: [post('Fire', 'fires'), post('Recover', 'recovers')],
};

/** Two kinds of trouble of a pump, each where it can occur, and what has it now. */
export function pump(broken: NonNullable<PageSection['list']>['items'] = []): PageSection {
  return {
    id: 'pump',
    short: 'Pump',
    title: 'The pump',
    about: 'Breaks a part of the pump.',
    fields: [
      {
        id: 'fault',
        label: 'Fault',
        options: [
          { id: 'leak', name: 'Leak' },
          { id: 'jam', name: 'Jam' },
        ],
      },
      {
        id: 'part',
        label: 'Part',
        options: [
          { id: 'hose', name: 'hose', only: ['leak'] },
          { id: 'rotor', name: 'rotor', only: ['jam'] },
          { id: 'valve', name: 'valve', only: ['leak', 'jam'] },
        ],
      },
    ],
    list: { label: 'Broken now', whenEmpty: 'Nothing is broken.', items: broken },
    buttons: [
      { label: 'Break', call: 'break', busy: 'Breaking…', done: '', style: 'danger' },
      {
        label: 'Repair',
        call: 'mend',
        busy: 'Repairing…',
        done: 'Repaired.',
        ...(broken.length === 0 && { disabled: 'Nothing is broken.' }),
      },
    ],
  };
}

/** A process around the app, running or not. */
export function engine(isUp = true): PageSection {
  const button = (label: string, run: boolean, disabled: boolean): PageButton => ({
    label,
    call: 'engine',
    values: { run },
    busy: `${label}…`,
    done: '',
    ...(disabled && { disabled: `The engine is ${isUp ? 'up' : 'down'}.` }),
  });
  return {
    id: 'engine',
    short: 'Engine',
    title: 'The engine',
    about: 'Stop the engine and start it again.',
    state: isUp ? { text: 'Running.', tone: 'good' } : { text: 'Down.', tone: 'bad' },
    buttons: [button('Stop', false, !isUp), button('Start', true, isUp)],
    ...(!isUp && { warning: 'The engine is down' }),
  };
}

/** All that a panel can have, in a workspace where nothing is amiss. */
export const fullPanel: PagePanel = {
  sections: [scenes, alerts, pump(), engine()],
  webhooks: [],
  faults: NO_FAULTS,
};

/** `fullPanel` with another section in the place of the one with its id. */
export function panelWith(section: PageSection): PagePanel {
  return { ...fullPanel, sections: fullPanel.sections.map((one) => (one.id === section.id ? section : one)) };
}

/** The event that tells of a panel with something other than in `fullPanel`. */
export function panelEvent(rest: Partial<PagePanel>): PageEvent {
  return { type: 'stage', stage: { ...fullPanel, ...rest } };
}
