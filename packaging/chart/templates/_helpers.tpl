{{- define "trainyard.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "trainyard.selector" . }}
{{- end }}

{{- define "trainyard.selector" -}}
app.kubernetes.io/name: trainyard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "trainyard.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "trainyard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- /* The database and the bucket, which every pod of mode scaled has. */}}
{{- define "trainyard.store" -}}
{{- if eq .Values.mode "scaled" }}
{{- if not .Values.database.existingSecret }}{{ fail "mode scaled needs database.existingSecret, a Secret whose key url is the address of a PostgreSQL database" }}{{ end }}
{{- if not (hasPrefix "s3://" .Values.artifacts.place) }}{{ fail "mode scaled needs artifacts.place, such as s3://bucket/prefix" }}{{ end }}
- name: TRAINYARD_DATABASE
  valueFrom:
    secretKeyRef: {name: {{ .Values.database.existingSecret }}, key: url}
- name: TRAINYARD_ARTIFACTS
  value: {{ .Values.artifacts.place | quote }}
{{- end }}
{{- end }}

{{- /* Variables of a server or worker. */}}
{{- define "trainyard.environment" -}}
{{- with .Values.weights }}
- name: TRAINYARD_WEIGHTS
  value: {{ . }}
{{- end }}
{{- with .Values.baseModels }}
- name: TRAINYARD_BASE_MODEL
  value: {{ join "\n" . | quote }}
{{- end }}
{{- with include "trainyard.store" . }}
{{ . | trim }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Container of a server or worker; the arguments are context, name, command, arguments and resources. */}}
{{- define "trainyard.container" -}}
{{- $values := .context.Values -}}
name: {{ .name }}
image: {{ include "trainyard.image" .context | quote }}
imagePullPolicy: {{ $values.image.pullPolicy }}
args: {{ toJson (concat .arguments .extraArgs) }}
{{- with include "trainyard.environment" .context | trim }}
env:
  {{- . | nindent 2 }}
{{- end }}
{{- if and (eq $values.mode "scaled") $values.artifacts.existingSecret }}
envFrom:
  - secretRef: {name: {{ $values.artifacts.existingSecret }}}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- with .resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
  {{- with $values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Probes of a server. Liveness is a connection and not /health: a slow database or a drain must not restart the pod. */}}
{{- define "trainyard.probes" -}}
ports:
  - {name: http, containerPort: 8000}
startupProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 2
  # Base models may be downloaded and loaded meanwhile: 30 minutes.
  failureThreshold: 900
readinessProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 2
  failureThreshold: 1
livenessProbe:
  tcpSocket: {port: http}
  periodSeconds: 10
  failureThreshold: 6
{{- end }}

{{- /* What every pod has beside its containers. */}}
{{- define "trainyard.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Volumes that do not outlive a pod. */}}
{{- define "trainyard.volumes" -}}
- {name: tmp, emptyDir: {}}
{{- if eq .Values.mode "scaled" }}
- {name: data, emptyDir: {}}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
