import { useState } from 'react';
import type { PageAlertKind, PagePanel } from '../../src/page-panel.ts';
import { firstChannel } from '../model/follow.ts';
import { panelApi } from '../panel-api.ts';
import { useDesk } from '../ui/desk.ts';
import { ActionButton, ActionResult, usePanelActions } from './actions.tsx';
import { Combobox } from './combobox.tsx';
import { SelectField } from './fields.tsx';

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
