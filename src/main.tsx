/** Browser entry: restores the stored session and handles a sign-in link, then mounts the dashboard. */
import './dashboard/layers.css';
import '@mantine/core/styles.layer.css';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './dashboard/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './dashboard/app.tsx';
import { createServices } from './dashboard/services.ts';
import { takeLinkToken } from './dashboard/session/link-token.ts';
import { takeProviderQuery } from './dashboard/session/provider-return.ts';

const services = createServices();
takeProviderQuery(window.location, window.history);
const linkToken = takeLinkToken(window.location, window.history);
await services.session.restore();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App services={services} linkToken={linkToken} />);
