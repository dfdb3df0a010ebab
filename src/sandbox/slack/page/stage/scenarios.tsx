import type { PageStage } from '../../page-stage.ts';
import { stageApi } from '../stage-api.ts';
import { DeedButton } from './deed-button.tsx';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

/** Each scenario, to be played. */
export function Scenarios({ scenarios }: Pick<PageStage, 'scenarios'>) {
  return (
    <ul className="scenarios">
      {scenarios.map((scenario) => (
        <Scenario key={scenario.name} {...scenario} />
      ))}
    </ul>
  );
}

function Scenario({ name, title, about }: PageStage['scenarios'][number]) {
  const deeds = useDeeds();
  const play = {
    label: 'Play',
    doing: 'Playing…',
    done: 'It plays.',
    call: () => stageApi.play(name),
  };
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p>{about}</p>
        <Said said={deeds.said} />
      </div>
      <DeedButton deed={play} deeds={deeds} name={`Play ${title}`} />
    </li>
  );
}
