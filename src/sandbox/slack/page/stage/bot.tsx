import type { PageBotDeed, PageBotState } from '../../page-stage.ts';
import { stageApi } from '../stage-api.ts';
import { DeedButton } from './deed-button.tsx';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

const STATES: Readonly<Record<PageBotState, string>> = {
  running: 'It is running.',
  starting: 'It is starting…',
  stopping: 'It is stopping…',
  down: 'It is down: nothing is answered until it starts again.',
};

const DEEDS: { deed: PageBotDeed; label: string; doing: string; done: string; from: PageBotState[] }[] = [
  {
    deed: 'kill',
    label: 'Kill',
    doing: 'Killing…',
    done: 'Killed with SIGKILL.',
    from: ['running', 'starting', 'stopping'],
  },
  {
    deed: 'stop',
    label: 'Stop',
    doing: 'Stopping…',
    done: 'Stopped in order.',
    from: ['running', 'starting'],
  },
  { deed: 'start', label: 'Start', doing: 'Starting…', done: 'Started.', from: ['down'] },
  { deed: 'restart', label: 'Restart', doing: 'Restarting…', done: 'Restarted.', from: ['running'] },
];

/** The bot's process: how it is, and what can be done to it. */
export function Bot({ state }: { state: PageBotState }) {
  const deeds = useDeeds();
  return (
    <>
      <p className={`bot-state ${state}`} role="status" aria-label="State of the bot">
        {STATES[state]}
      </p>
      <div className="deeds">
        {DEEDS.map(({ deed, from, ...words }) => (
          <DeedButton
            key={deed}
            deeds={deeds}
            deed={{ ...words, call: () => stageApi.bot(deed) }}
            refusal={from.includes(state) ? null : `Not while the bot is ${state}.`}
            {...(deed === 'kill' && { style: 'danger' as const })}
          />
        ))}
      </div>
      <Said said={deeds.said} />
    </>
  );
}
