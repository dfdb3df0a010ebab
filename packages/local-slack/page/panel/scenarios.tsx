import type { PagePanel } from '../../src/page-panel.ts';
import { panelApi } from '../panel-api.ts';
import { ActionButton, ActionResult, usePanelActions } from './actions.tsx';

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
