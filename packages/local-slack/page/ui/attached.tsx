import { sizeWords } from '../model/files.ts';

interface Props {
  files: readonly File[];
  onRemove: (file: File) => void;
}

/** The files that go with what is being written. */
export function Attached({ files, onRemove }: Props) {
  if (files.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached files">
      {files.map((file) => (
        <li key={`${file.name}/${file.size}/${file.lastModified}`}>
          <span className="attached-name">{file.name}</span>
          <small>{sizeWords(file.size)}</small>
          <button
            type="button"
            className="plain"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
