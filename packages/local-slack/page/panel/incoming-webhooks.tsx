import { useState } from 'react';
import type { PagePanel } from '../../src/page-panel.ts';
import { ActionButton, ActionResult, usePanelActions } from './actions.tsx';
import { SelectField } from './fields.tsx';

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
