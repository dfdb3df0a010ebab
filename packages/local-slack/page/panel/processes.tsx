import type { PageBotCommand, PageBotState, PageDisconnect } from '../../src/page-panel.ts';
import { panelApi } from '../panel-api.ts';
import { ActionButton, ActionResult, Switch, usePanelActions } from './actions.tsx';

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
