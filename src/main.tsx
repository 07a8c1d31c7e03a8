/** Browser entry: signs in from the address or the stored session, then mounts the dashboard. */
import './dashboard/layers.css';
import '@mantine/core/styles.layer.css';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './dashboard/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './dashboard/app.tsx';
import { createServices } from './dashboard/services.ts';

const services = createServices();
services.session.takeFromAddress(window.location, window.history);
if (services.session.credentials() === null) await services.session.restore();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App services={services} />);
