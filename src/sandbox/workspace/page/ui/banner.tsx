interface Props {
  error: string | null;
  isOffline: boolean;
  onDismiss: () => void;
}

/** What the person must know now: the last call's error, and that live updates have stopped. */
export function Banner({ error, isOffline, onDismiss }: Props) {
  return (
    <div className="banners">
      {isOffline && (
        <div className="banner offline" role="status">
          Offline: the workspace does not answer. Trying again…
        </div>
      )}
      {error !== null && (
        <div className="banner error" role="alert">
          <span>{error}</span>
          <button type="button" className="plain" aria-label="Dismiss" onClick={onDismiss}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
