/** How large the settings of a workflow may be. */
import { limits } from '../../contract/limits.ts';
import { tooLarge } from '../http/service-error.ts';

/** Throws TOO_LARGE naming the limit. */
export function checkSettingsSize(settings: string | null | undefined): void {
  const size = Buffer.byteLength(settings ?? '');
  const { settings_bytes: allowed } = limits;
  if (size <= allowed) return;
  const message = `payload.settings has ${size} bytes, more than settings_bytes allows (${allowed}).`;
  const details = { field: 'payload.settings', limit: 'settings_bytes', allowed, size };
  throw tooLarge(message, details);
}
