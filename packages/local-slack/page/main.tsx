import './no-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'slack-blocks-to-jsx/dist/style.css';
import './styles/base.css';
import './styles/sidebar.css';
import './styles/blocks.css';
import './styles/files.css';
import './styles/messages.css';
import './styles/panel.css';
import { App } from './ui/app.tsx';
import { Gallery } from './ui/gallery.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
createRoot(root).render(<StrictMode>{location.pathname === '/gallery' ? <Gallery /> : <App />}</StrictMode>);
