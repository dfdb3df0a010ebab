import type { PageButton, PageSection } from 'local-slack';
import type { ShopView } from './shop.ts';

/** What is around the local Slack, as the panel shows it. */
export interface PanelView {
  /** Empty with a real service, where nothing can be broken. */
  scenarios: { name: string; title: string; about: string }[];
  /** The tools whose alerts can be posted. */
  tools: { id: string; name: string; recovers: boolean }[];
  /** `null` with a real service. */
  shop: ShopView | null;
  /** The embedded service; `null` with a real one. */
  service: { down: boolean } | null;
}

/** The sections of the panel; what runs elsewhere has none. */
export function sectionsOf({ scenarios, tools, shop, service }: PanelView): PageSection[] {
  return [
    ...(scenarios.length > 0 ? [scenariosSection(scenarios)] : []),
    ...(tools.length > 0 ? [alertsSection(tools)] : []),
    ...(shop ? [shopSection(shop)] : []),
    ...(service ? [serviceSection(service.down)] : []),
  ];
}

function scenariosSection(scenarios: PanelView['scenarios']): PageSection {
  const play = { label: 'Play', call: 'play', busy: 'Playing…', done: 'Started.' };
  return {
    id: 'scenarios',
    short: 'Play',
    title: 'Run a scenario',
    about: 'Plays a sequence of events. Watch how Gumshoe reacts in the channels.',
    list: {
      label: 'Scenarios',
      whenEmpty: '',
      items: scenarios.map(({ name, title, about }) => ({
        title,
        text: about,
        button: { ...play, name: `Play ${title}`, values: { scenario: name } },
      })),
    },
  };
}

function alertsSection(tools: PanelView['tools']): PageSection {
  const post = (label: string, how: string, done: string): PageButton => ({
    label,
    call: 'alert',
    values: { how },
    busy: 'Posting…',
    done: `${done}: {tool} in {channel}.`,
  });
  return {
    id: 'alerts',
    short: 'Alerts',
    title: 'Alerts',
    about:
      'Posts what a monitoring tool would. Fire again and Recover refer to its last alert in the channel.',
    fields: [
      {
        id: 'tool',
        label: 'Tool',
        options: tools.map(({ id, name, recovers }) => ({
          id,
          name,
          ...(!recovers && { disables: { Recover: `${name} does not report recoveries.` } }),
        })),
      },
      { id: 'channel', label: 'Channel', options: 'channels' },
    ],
    buttons: [
      post('Fire', 'fires', 'Posted'),
      post('Fire again', 'again', 'Posted again'),
      post('Recover', 'recovers', 'Recovery posted'),
      post('Storm of 100', 'storm', '100 alerts posted'),
    ],
  };
}

function shopSection({ faults, broken }: ShopView): PageSection {
  const titles = new Map(faults.map(({ kind, title }) => [kind, title]));
  const services = [...new Set(faults.flatMap((fault) => fault.services))];
  return {
    id: 'shop',
    short: 'Shop',
    title: 'The shop',
    about:
      'Injects faults into the simulated shop: they show in its telemetry, and investigations find them.',
    fields: [
      { id: 'fault', label: 'Fault', options: faults.map(({ kind, title }) => ({ id: kind, name: title })) },
      {
        id: 'service',
        label: 'Service',
        options: services.map((name) => ({
          id: name,
          name,
          only: faults.filter((fault) => fault.services.includes(name)).map(({ kind }) => kind),
        })),
      },
    ],
    list: {
      label: 'Broken now',
      whenEmpty: 'Nothing is broken.',
      items: broken.map(({ kind, service, since }) => ({
        title: titles.get(kind) ?? kind,
        text: `at ${service}`,
        since,
      })),
    },
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

function serviceSection(down: boolean): PageSection {
  return {
    id: 'service',
    short: 'Service',
    title: 'The service',
    about: 'While the investigation service is down, connections are refused and alerts queue up.',
    state: down ? { text: 'Down.', tone: 'bad' } : { text: 'Running.', tone: 'good' },
    buttons: [
      down
        ? { label: 'Start', call: 'service', values: { down: false }, busy: 'Starting…', done: '' }
        : {
            label: 'Stop',
            call: 'service',
            values: { down: true },
            busy: 'Stopping…',
            done: '',
            style: 'danger',
          },
    ],
    ...(down && { warning: 'The service is down' }),
  };
}
