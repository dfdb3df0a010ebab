import { stageApi } from '../stage-api.ts';
import { Switch } from './switch.tsx';

/** Takes the embedded service down, or brings it back. */
export function Service({ down }: { down: boolean }) {
  const deed = {
    doing: down ? 'Bringing it back…' : 'Taking it down…',
    done: down ? 'It was brought back.' : 'It was taken down.',
    call: () => stageApi.service(!down),
  };
  return <Switch label="The service is up" isOn={!down} deed={deed} />;
}
