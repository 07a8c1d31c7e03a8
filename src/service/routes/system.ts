/** `/sys`: what this server is and offers. */
import { endpoints } from '../../contract/endpoints.ts';
import { limits } from '../../contract/limits.ts';
import type { SignInWays } from '../../contract/single-sign-on.ts';
import { capabilities } from '../../contract/system.ts';
import { defaultAnalyzerId } from '../analysis/analysis-ids.ts';
import type { WebContext } from '../context.ts';
import { defaultDataScript } from '../functions/data-script-language.ts';
import { listGallery } from '../gallery/gallery.ts';
import type { Handlers } from '../http/call.ts';
import { ownNetwork } from '../http/own-network.ts';
import { importLimits } from '../imports/request-files.ts';
import { uploadBytes } from './uploads.ts';

/** The runtimes available here, by `env`. */
async function runtimesOf({ runtimes }: WebContext): Promise<Record<string, boolean>> {
  const missing = (await runtimes?.())?.missing;
  return {
    stan: true,
    cmdstan: false,
    jags: missing?.jags === null,
    javascript: false,
    julia: missing?.julia === null,
    python: missing?.python === null,
    r: missing?.r === null,
  };
}

function waysToSignIn({ provider }: WebContext): SignInWays {
  if (provider === undefined) return { provider: null, passwords: true, problem: null };
  const { name, only } = provider.config;
  return { provider: name, passwords: !only, problem: provider.problem() };
}

export function systemHandlers(context: WebContext) {
  const { version } = context;
  const allowed = uploadBytes(context.config);
  return {
    viewConfig: async ({ baseUrl }) => ({
      run_model_url: `${baseUrl}${endpoints.runProxy.path}`,
      max_upload_sample_size: importLimits.totalBytes,
      max_upload_sample_file: importLimits.files,
      upload_file_types: '.csv,.nc',
      google_client_id: '',
      google_app_id: '',
      default_model: '',
      default_data: '',
      default_analyzer: defaultAnalyzerId,
      default_data_script: defaultDataScript,
      capabilities: capabilities.filter((name) => name !== 'uploads' || allowed > 0),
      limits: { ...limits, upload_bytes: allowed },
      runtimes: await runtimesOf(context),
      version,
      network: ownNetwork(baseUrl, context.config.host),
      sign_in: waysToSignIn(context),
    }),
    viewGallery: async () => listGallery(),
  } satisfies Partial<Handlers>;
}
