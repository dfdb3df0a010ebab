import type { PageFile } from '../../src/page-api.ts';
import { fileAddress, sizeWords } from '../model/files.ts';
import { Picture } from './picture.tsx';

/** The files of a message: pictures to be seen, all else to be saved. */
export function MessageFiles({ files }: { files: readonly PageFile[] }) {
  if (files.length === 0) return null;
  return (
    <div className="files">
      {files.map((file) => (
        <OneFile key={file.id} file={file} />
      ))}
    </div>
  );
}

function OneFile({ file }: { file: PageFile }) {
  const { id, title, name, alt, image } = file;
  if (file.state === 'deleted') return <p className="file-gone">This file was deleted.</p>;
  if (image) {
    return <Picture src={fileAddress(id)} alt={alt ?? title} title={title || name} size={image} />;
  }
  return <Attached file={file} />;
}

/** A file with its first lines. */
function Attached({ file }: { file: PageFile }) {
  const { id, title, name, kind, size, preview = '', lines_more: more = 0 } = file;
  return (
    <div className="file">
      <div className="file-head">
        <span className="file-icon" aria-hidden="true">
          {extensionOf(name)}
        </span>
        <span className="file-name">
          <strong>{title || name}</strong>
          <small>{[kind, sizeWords(size)].filter(Boolean).join(' · ')}</small>
        </span>
        <a className="button" href={fileAddress(id)} download={name} aria-label={`Download ${title || name}`}>
          Download
        </a>
      </div>
      {preview !== '' && <pre className="file-preview">{preview}</pre>}
      {more > 0 && <p className="file-more">{more === 1 ? '1 more line' : `${more} more lines`}</p>}
    </div>
  );
}

function extensionOf(name: string): string {
  return /\.(\w{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE';
}
