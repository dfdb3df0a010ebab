import { useDesk } from './desk.ts';
import { Dots } from './dots.tsx';

/** What the app is doing, under a conversation with it: `Gumshoe is thinking…`. Empty where it does nothing, and as high. */
export function StatusLine({ status }: { status: string | null }) {
  const { bot } = useDesk().workspace;
  return (
    <p className="status-line" role="status" aria-label={`What ${bot.name} is doing`}>
      {status !== null && (
        <>
          <Dots />
          <span>{`${bot.name} ${status}`}</span>
        </>
      )}
    </p>
  );
}
