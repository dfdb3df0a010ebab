import type { PageSocketEnd } from '../../page-stage.ts';
import { stageApi } from '../stage-api.ts';
import { DeedButton } from './deed-button.tsx';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

const ENDS: { reason: PageSocketEnd; label: string; doing: string; done: string }[] = [
  { reason: 'drop', label: 'Drop the socket', doing: 'Dropping…', done: 'Dropped without a word.' },
  { reason: 'warning', label: 'Warning', doing: 'Warning…', done: 'Warned: the connection ends soon.' },
  {
    reason: 'refresh_requested',
    label: 'Refresh',
    doing: 'Asking…',
    done: 'Asked to connect anew, as Slack does every few hours.',
  },
];

/** Ends the app's connections as Slack ends them. */
export function Sockets() {
  const deeds = useDeeds();
  return (
    <>
      <fieldset className="deeds" aria-label="The app’s connections">
        {ENDS.map(({ reason, ...words }) => (
          <DeedButton key={reason} deeds={deeds} deed={{ ...words, call: () => stageApi.socket(reason) }} />
        ))}
      </fieldset>
      <Said said={deeds.said} />
    </>
  );
}
