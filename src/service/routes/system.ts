/** `/sys`: what this server is and offers. */
import { capabilities, limits } from '../../contract/system.ts';
import type { Handlers } from '../http/call.ts';
import type { ServiceContext } from '../service-deps.ts';
import { listGallery } from '../use-cases/gallery.ts';

/** What this server runs by itself. */
const runtimes = {
  stan: true,
  cmdstan: false,
  jags: false,
  javascript: false,
  julia: false,
  python: false,
  r: false,
};

/** Told only once it is there. */
const isOffered = (capability: string) => capability !== 'live';

export function systemHandlers({
  version,
}: ServiceContext): Pick<Handlers, 'viewConfig' | 'viewGallery'> {
  return {
    viewConfig: async () => ({
      run_model_url: '',
      max_upload_sample_size: limits.body_bytes,
      max_upload_sample_file: 10,
      upload_file_types: '.csv,.nc',
      google_client_id: '',
      google_app_id: '',
      default_model: '',
      default_data: '',
      default_analyzer: '',
      default_data_script: '',
      capabilities: capabilities.filter(isOffered),
      limits,
      runtimes,
      version,
    }),
    viewGallery: async () => listGallery(),
  };
}
