import { useState } from 'react';
import type {
  PageAlertKind,
  PageBotCommand,
  PageBotState,
  PageDisconnect,
  PagePanel,
  PageShop,
} from '../../src/page-panel.ts';
import { panelApi } from '../api.ts';
import { firstChannel } from '../model/lists.ts';
import { clockTime, fullTime } from '../model/texts.ts';
import { useDesk } from '../ui/desk.ts';
import { Combobox } from './combobox.tsx';
import { ActionButton, ActionResult, SelectField, Switch, usePanelActions } from './fields.tsx';

/** Posts what a tool posts into a channel. */
export function Alerts({ tools }: Pick<PagePanel, 'tools'>) {
  const { workspace } = useDesk();
  const channels = workspace.channels
    .filter(({ is_im }) => !is_im)
    .map(({ id, name }) => ({ id, name: `#${name}` }));
  const [toolId, setTool] = useState('');
  const [channelId, setChannel] = useState(firstChannel(workspace) ?? '');
  const actions = usePanelActions();
  const tool = tools.find(({ id }) => id === toolId) ?? tools[0];
  const channel = channels.find(({ id }) => id === channelId) ?? channels[0];
  if (!tool || !channel) return null;
  const post = (how: PageAlertKind, label: string, busyLabel: string, doneMessage: string) => ({
    label,
    busyLabel,
    doneMessage,
    call: () => panelApi.alert({ tool: tool.id, how, channel: channel.id }),
  });
  const where = `${tool.name} in ${channel.name}`;
  return (
    <>
      <div className="panel-fields">
        <Combobox label="Tool" options={tools} value={tool.id} onChoose={setTool} />
        <SelectField label="Channel" options={channels} value={channel.id} onSelect={setChannel} />
      </div>
      <div className="panel-actions">
        <ActionButton actions={actions} action={post('fires', 'Fire', 'Posting…', `Posted: ${where}.`)} />
        <ActionButton
          actions={actions}
          action={post('again', 'Fire again', 'Posting…', `Posted again: ${where}.`)}
        />
        <ActionButton
          actions={actions}
          action={post('recovers', 'Recover', 'Posting…', `Recovery posted: ${where}.`)}
          disabledReason={tool.recovers ? null : `${tool.name} does not report recoveries.`}
        />
        <ActionButton
          actions={actions}
          action={post('storm', 'Storm of 100', 'Posting…', `100 alerts posted: ${where}.`)}
        />
      </div>
      {!tool.recovers && <p className="hint">{`${tool.name} does not report recoveries.`}</p>}
      <ActionResult result={actions.result} />
    </>
  );
}

/** The address at which a tool on this machine can post to a channel, to copy. */
export function IncomingWebhooks({ webhooks }: Pick<PagePanel, 'webhooks'>) {
  const [wanted, setWanted] = useState('');
  const actions = usePanelActions();
  const webhook = webhooks.find(({ channel }) => channel === wanted) ?? webhooks[0];
  if (!webhook) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(webhook.url);
      return { ok: true } as const;
    } catch {
      return { ok: false, error: 'The browser did not let the page copy: select the address.' } as const;
    }
  };
  const options = webhooks.map(({ channel, name }) => ({ id: channel, name: `#${name}` }));
  return (
    <>
      <div className="panel-fields">
        <SelectField label="Posts to" options={options} value={webhook.channel} onSelect={setWanted} />
        <label className="panel-field">
          <span>Address</span>
          <input
            className="control"
            readOnly
            value={webhook.url}
            onFocus={(focus) => focus.target.select()}
          />
        </label>
      </div>
      <div className="panel-actions">
        <ActionButton
          actions={actions}
          action={{ label: 'Copy address', busyLabel: 'Copying…', doneMessage: 'Copied.', call: copy }}
        />
      </div>
      <ActionResult result={actions.result} />
    </>
  );
}

/** Each scenario, to be played. */
export function Scenarios({ scenarios }: Pick<PagePanel, 'scenarios'>) {
  return (
    <ul className="scenarios">
      {scenarios.map((scenario) => (
        <Scenario key={scenario.name} {...scenario} />
      ))}
    </ul>
  );
}

function Scenario({ name, title, about }: PagePanel['scenarios'][number]) {
  const actions = usePanelActions();
  const play = {
    label: 'Play',
    busyLabel: 'Playing…',
    doneMessage: 'Started.',
    call: () => panelApi.play(name),
  };
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p>{about}</p>
        <ActionResult result={actions.result} />
      </div>
      <ActionButton action={play} actions={actions} name={`Play ${title}`} />
    </li>
  );
}

/** Injects faults into the simulated shop, lists them, and repairs it. */
export function Shop({ faults, broken }: PageShop) {
  const [kind, setKind] = useState('');
  const [place, setPlace] = useState('');
  const actions = usePanelActions();
  const fault = faults.find((one) => one.kind === kind) ?? faults[0];
  const service = fault?.services.find((one) => one === place) ?? fault?.services[0];
  if (!fault || service === undefined) return null;
  const breakIt = {
    label: 'Break',
    busyLabel: 'Breaking…',
    doneMessage: '',
    call: () => panelApi.break({ fault: fault.kind, service }),
  };
  const repair = {
    label: 'Repair',
    busyLabel: 'Repairing…',
    doneMessage: 'Repaired.',
    call: () => panelApi.repair(),
  };
  return (
    <>
      <div className="panel-fields">
        <SelectField
          label="Fault"
          options={faults.map((one) => ({ id: one.kind, name: one.title }))}
          value={fault.kind}
          onSelect={setKind}
        />
        <SelectField
          label="Service"
          options={fault.services.map((one) => ({ id: one, name: one }))}
          value={service}
          onSelect={setPlace}
        />
      </div>
      <ul className="broken" aria-label="Broken now">
        {broken.length === 0 && <li>Nothing is broken.</li>}
        {broken.map(({ kind: what, service: where, since }) => (
          <li key={`${what}/${where}/${since}`}>
            <strong>{faults.find((one) => one.kind === what)?.title ?? what}</strong>
            {` at ${where} since `}
            <time title={fullTime(since)}>{clockTime(since)}</time>
          </li>
        ))}
      </ul>
      <div className="panel-actions">
        <ActionButton actions={actions} action={breakIt} style="danger" />
        <ActionButton
          actions={actions}
          action={repair}
          disabledReason={broken.length === 0 ? 'Nothing is broken.' : null}
        />
      </div>
      <ActionResult result={actions.result} />
    </>
  );
}

const STATES: Readonly<Record<PageBotState, string>> = {
  running: 'Running.',
  starting: 'Starting…',
  stopping: 'Stopping…',
  down: 'Down: nobody gets an answer until it is started again.',
};

const BOT_COMMANDS: {
  command: PageBotCommand;
  label: string;
  busyLabel: string;
  doneMessage: string;
  from: PageBotState[];
}[] = [
  {
    command: 'kill',
    label: 'Kill',
    busyLabel: 'Killing…',
    doneMessage: 'Killed (SIGKILL).',
    from: ['running', 'starting', 'stopping'],
  },
  {
    command: 'stop',
    label: 'Stop',
    busyLabel: 'Stopping…',
    doneMessage: 'Stopped gracefully.',
    from: ['running', 'starting'],
  },
  { command: 'start', label: 'Start', busyLabel: 'Starting…', doneMessage: 'Started.', from: ['down'] },
  {
    command: 'restart',
    label: 'Restart',
    busyLabel: 'Restarting…',
    doneMessage: 'Restarted.',
    from: ['running'],
  },
];

/** The state of the bot's process, and commands for it. */
export function Bot({ state }: { state: PageBotState }) {
  const actions = usePanelActions();
  return (
    <>
      <p className={`bot-state ${state}`} role="status" aria-label="Bot status">
        {STATES[state]}
      </p>
      <div className="panel-actions">
        {BOT_COMMANDS.map(({ command, from, ...words }) => (
          <ActionButton
            key={command}
            actions={actions}
            action={{ ...words, call: () => panelApi.bot(command) }}
            disabledReason={from.includes(state) ? null : `Not while the bot is ${state}.`}
            {...(command === 'kill' && { style: 'danger' as const })}
          />
        ))}
      </div>
      <ActionResult result={actions.result} />
    </>
  );
}

/** Takes the embedded service down, or brings it back. */
export function Service({ down }: { down: boolean }) {
  const action = {
    busyLabel: down ? 'Starting…' : 'Stopping…',
    doneMessage: down ? 'The service is back up.' : 'The service is down.',
    call: () => panelApi.service(!down),
  };
  return <Switch label="The service is running" isOn={!down} action={action} />;
}

const ENDS: { reason: PageDisconnect; label: string; busyLabel: string; doneMessage: string }[] = [
  {
    reason: 'drop',
    label: 'Drop',
    busyLabel: 'Dropping…',
    doneMessage: 'Connection dropped without a disconnect message.',
  },
  {
    reason: 'warning',
    label: 'Warning',
    busyLabel: 'Warning…',
    doneMessage: 'Warning sent: the connection will close soon.',
  },
  {
    reason: 'refresh_requested',
    label: 'Refresh',
    busyLabel: 'Requesting…',
    doneMessage: 'Refresh requested, as Slack does every few hours.',
  },
];

/** Ends the app's connections as Slack ends them. */
export function Sockets() {
  const actions = usePanelActions();
  return (
    <>
      <fieldset className="panel-actions" aria-label="The app’s connections">
        {ENDS.map(({ reason, ...words }) => (
          <ActionButton
            key={reason}
            actions={actions}
            action={{ ...words, call: () => panelApi.socket(reason) }}
          />
        ))}
      </fieldset>
      <ActionResult result={actions.result} />
    </>
  );
}
