interface Props {
  error: string | null;
  isOffline: boolean;
  onDismiss: () => void;
}

/** What the person must know now: the last call's error, and that live updates have stopped. */
export function Banner({ error, isOffline, onDismiss }: Props) {
  return (
    <div className="banners">
      {/* It stands there empty before, so that it is read out. */}
      <div role="status" aria-label="Connection">
        {isOffline && (
          <p className="banner offline">Offline: the workspace is not responding. Reconnecting…</p>
        )}
      </div>
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
