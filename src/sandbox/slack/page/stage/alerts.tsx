import { useState } from 'react';
import type { PageAlertKind, PageStage } from '../../page-stage.ts';
import { firstChannel } from '../model/follow.ts';
import { stageApi } from '../stage-api.ts';
import { useDesk } from '../ui/desk.ts';
import { Combobox } from './combobox.tsx';
import { DeedButton } from './deed-button.tsx';
import { Picked } from './picked.tsx';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

/** Posts what a tool posts into a channel. */
export function Alerts({ tools }: Pick<PageStage, 'tools'>) {
  const { workspace } = useDesk();
  const channels = workspace.channels
    .filter(({ is_im }) => !is_im)
    .map(({ id, name }) => ({ id, name: `#${name}` }));
  const [toolId, setTool] = useState('');
  const [channelId, setChannel] = useState(firstChannel(workspace) ?? '');
  const deeds = useDeeds();
  const tool = tools.find(({ id }) => id === toolId) ?? tools[0];
  const channel = channels.find(({ id }) => id === channelId) ?? channels[0];
  if (!tool || !channel) return null;
  const post = (how: PageAlertKind, label: string, doing: string, done: string) => ({
    label,
    doing,
    done,
    call: () => stageApi.alert({ tool: tool.id, how, channel: channel.id }),
  });
  const where = `${tool.name} in ${channel.name}`;
  return (
    <>
      <div className="stage-fields">
        <Combobox label="Tool" options={tools} value={tool.id} onChoose={setTool} />
        <Picked label="Channel" options={channels} value={channel.id} onPick={setChannel} />
      </div>
      <div className="deeds">
        <DeedButton deeds={deeds} deed={post('fires', 'Fires', 'Posting…', `An alert of ${where}.`)} />
        <DeedButton deeds={deeds} deed={post('again', 'Again', 'Posting…', `Once more: ${where}.`)} />
        <DeedButton
          deeds={deeds}
          deed={post('recovers', 'Recovered', 'Posting…', `Recovered: ${where}.`)}
          refusal={tool.recovers ? null : `${tool.name} does not tell when something has recovered.`}
        />
        <DeedButton
          deeds={deeds}
          deed={post('storm', 'Storm of 100', 'Storming…', `100 alerts of ${where}.`)}
        />
      </div>
      {!tool.recovers && <p className="hint">{`${tool.name} does not tell when something has recovered.`}</p>}
      <Said said={deeds.said} />
    </>
  );
}
