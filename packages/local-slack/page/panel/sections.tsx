import { useState } from 'react';
import type { PageState } from '../../src/page-api.ts';
import type { PageButton, PageDisconnect, PageField, PagePanel, PageSection } from '../../src/page-panel.ts';
import { callPanel } from '../api.ts';
import { firstChannel } from '../model/lists.ts';
import { clockTime, fullTime } from '../model/texts.ts';
import { each } from '../ui/basics.tsx';
import { useDesk } from '../ui/desk.ts';
import { ActionButton, ActionResult, SelectField, usePanelActions } from './fields.tsx';

/** A section of whoever started the workspace: how it is, what can be chosen, what is there, what can be done. */
export function GivenSection({ section }: { section: PageSection }) {
  const { short, state, fields = [], list, buttons = [] } = section;
  const { workspace } = useDesk();
  const [wanted, setWanted] = useState<Wanted>({});
  const chosen = chosenIn(fields, wanted, workspace);
  const choose = (field: string, id: string) => setWanted((now) => ({ ...now, [field]: id }));
  return (
    <>
      {state && (
        <p className={`section-state ${state.tone}`} role="status" aria-label={`${short} status`}>
          {state.text}
        </p>
      )}
      {chosen.length > 0 && (
        <div className="panel-fields">
          {each(chosen, ({ id, label, options, option }) => (
            <SelectField
              label={label}
              options={options}
              value={option.id}
              onSelect={(to) => choose(id, to)}
            />
          ))}
        </div>
      )}
      {list && <Items list={list} chosen={chosen} />}
      {buttons.length > 0 && <Buttons buttons={buttons} chosen={chosen} />}
    </>
  );
}

/** What was chosen, by field. */
type Wanted = Readonly<Record<string, string>>;
type FieldOption = Exclude<PageField['options'], 'channels'>[number];

interface Chosen extends Omit<PageField, 'options'> {
  /** What can be chosen now. */
  options: readonly FieldOption[];
  option: FieldOption;
}

/** Each field with what it holds: what was chosen while that is offered, else the first. */
function chosenIn(fields: readonly PageField[], wanted: Wanted, workspace: PageState): Chosen[] {
  const chosen: Chosen[] = [];
  for (const { options: given, ...field } of fields) {
    const before = chosen.at(-1)?.option.id ?? '';
    const all = given === 'channels' ? channelOptions(workspace) : given;
    const options = all.filter(({ only }) => only?.includes(before) ?? true);
    const first = given === 'channels' ? firstChannel(workspace) : null;
    const option =
      options.find(({ id }) => id === wanted[field.id]) ??
      options.find(({ id }) => id === first) ??
      options[0];
    if (option) chosen.push({ ...field, options, option });
  }
  return chosen;
}

function channelOptions({ channels }: PageState): FieldOption[] {
  return channels.filter(({ is_im }) => !is_im).map(({ id, name }) => ({ id, name: `#${name}` }));
}

/** What a button does, with what is chosen. */
function actionOf({ label, busy, done, call, values }: PageButton, chosen: readonly Chosen[]) {
  const inFields = Object.fromEntries(chosen.map(({ id, option }) => [id, option.id]));
  const named = (text: string, { id, option }: Chosen) => text.replaceAll(`{${id}}`, option.name);
  return {
    label,
    busyLabel: busy,
    doneMessage: chosen.reduce(named, done),
    call: () => callPanel(call, { ...inFields, ...values }),
  };
}

interface ButtonsProps {
  buttons: readonly PageButton[];
  chosen: readonly Chosen[];
}

function Buttons({ buttons, chosen }: ButtonsProps) {
  const actions = usePanelActions();
  const disabled = Object.fromEntries(chosen.flatMap(({ option }) => Object.entries(option.disables ?? {})));
  return (
    <>
      <div className="panel-actions">
        {buttons.map((button) => (
          <ActionButton
            key={button.label}
            actions={actions}
            action={actionOf(button, chosen)}
            disabledReason={button.disabled ?? disabled[button.label] ?? null}
            {...(button.style && { style: button.style })}
          />
        ))}
      </div>
      {each([...new Set(Object.values(disabled))], (reason) => (
        <p className="hint">{reason}</p>
      ))}
      <ActionResult result={actions.result} />
    </>
  );
}

type List = NonNullable<PageSection['list']>;

function Items({ list, chosen }: { list: List; chosen: readonly Chosen[] }) {
  const { label, whenEmpty, items } = list;
  return (
    <ul className="panel-list" aria-label={label}>
      {items.length === 0 && <li>{whenEmpty}</li>}
      {items.map((item) => (
        <Item key={`${item.title}/${item.text}/${item.since}`} item={item} chosen={chosen} />
      ))}
    </ul>
  );
}

function Item({ item, chosen }: { item: List['items'][number]; chosen: readonly Chosen[] }) {
  const { title, text, since, button } = item;
  const actions = usePanelActions();
  if (!button) {
    return (
      <li>
        <div>
          <strong>{title}</strong> {text}
          {since !== undefined && (
            <>
              {' since '}
              <time title={fullTime(since)}>{clockTime(since)}</time>
            </>
          )}
        </div>
      </li>
    );
  }
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
        <ActionResult result={actions.result} />
      </div>
      <ActionButton
        action={actionOf(button, chosen)}
        actions={actions}
        {...(button.name !== undefined && { name: button.name })}
      />
    </li>
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
            action={{ ...words, call: () => callPanel('socket', { reason }) }}
          />
        ))}
      </fieldset>
      <ActionResult result={actions.result} />
    </>
  );
}
