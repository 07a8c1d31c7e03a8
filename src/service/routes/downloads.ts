/** `/download`, `/sys/get-arviz-data`. */
import type { Handlers } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import type { ServiceContext } from '../service-deps.ts';

export function downloadHandlers(
  _context: ServiceContext,
): Pick<Handlers, 'download' | 'viewArvizData'> {
  const refuse = async () => {
    throw notSupported('Packages are not here yet.');
  };
  return { download: refuse, viewArvizData: refuse };
}
