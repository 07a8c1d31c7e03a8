/** A new model. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { NewModelPage } from '../features/models/new-model-page.tsx';

export const Route = createFileRoute('/_app/models/new')({
  staticData: { parent: { label: 'Models', to: '/models' }, title: 'New' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  return (
    <NewModelPage
      onOpen={(modelId) => void navigate({ to: '/models/$modelId', params: { modelId } })}
      onOpenExperiment={(experimentId) =>
        void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
      }
    />
  );
}
