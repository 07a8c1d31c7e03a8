/** What stands at the addresses of projects where the server has none. */
import { MessagePage } from '../../ui/message-page.tsx';

export function NoProjects() {
  return <MessagePage title="No projects here" message="This server does not offer projects." />;
}
