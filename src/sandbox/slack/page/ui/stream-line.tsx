import { useState } from 'react';
import type { PageMessage } from '../../page-api.ts';
import { useDesk } from './desk.ts';
import { Dots } from './dots.tsx';
import { Icon } from './icons.tsx';

/** Under a message that still grows: that it does, and how to stop it. */
export function StreamLine({ message }: { message: PageMessage }) {
  const { stopStream } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    await stopStream(message);
    setBusy(false);
  };
  return (
    <p className="stream-line">
      <Dots />
      <span>Writing</span>
      <button type="button" className="button" disabled={isBusy} onClick={() => void stop()}>
        <Icon name="stop" /> Stop writing
      </button>
    </p>
  );
}
