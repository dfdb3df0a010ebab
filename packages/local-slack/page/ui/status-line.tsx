import { useDesk } from './desk.ts';

/** What the app is doing, under a conversation with it: `Tester is thinking…`. Empty if it does nothing, and as high. */
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

/** Three animated dots: somebody is typing. */
export function Dots() {
  return (
    <span className="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
