import { useState } from 'react';
import type { PageMessage } from '../../page-api.ts';
import { useDesk } from '../ui/desk.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { IconButton } from './icon-button.tsx';
import { Overflow } from './overflow.tsx';
import { type InteractiveElement as Element, interactiveElement } from './schema.ts';
import { StaticSelect } from './static-select.tsx';
import type { ElementProps, Use } from './use.ts';

interface Props {
  element: unknown;
  blockId: string;
  message: PageMessage;
}

/** An element that answers to clicks: asks for confirmation where it wants one, and is busy until it is answered. */
export function InteractiveElement({ element, blockId, message }: Props) {
  const { click } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Use | null>(null);
  const parsed = interactiveElement.safeParse(element);
  if (!parsed.success) return <span className="unknown-element">An element that this page cannot draw</span>;

  const { action_id, confirm } = parsed.data;
  const send = async (use: Use) => {
    setAsking(null);
    setBusy(true);
    await click(message, { block_id: blockId, action_id, ...use });
    setBusy(false);
  };
  const onUse = (use: Use) => (confirm ? setAsking(use) : void send(use));
  return (
    <>
      <ElementOfType element={parsed.data} isBusy={isBusy} onUse={onUse} />
      {asking !== null && confirm !== undefined && (
        <ConfirmDialog
          confirm={confirm}
          onConfirm={() => void send(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </>
  );
}

function ElementOfType({ element, ...rest }: ElementProps<Element>) {
  switch (element.type) {
    case 'button':
      return <Button element={element} {...rest} />;
    case 'overflow':
      return <Overflow element={element} {...rest} />;
    case 'static_select':
      return <StaticSelect element={element} {...rest} />;
    case 'feedback_buttons':
      return <FeedbackButtons element={element} {...rest} />;
    case 'icon_button':
      return <IconButton element={element} {...rest} />;
  }
}
